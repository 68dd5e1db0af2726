// What is wrong with a run, and what else is to be reported about it.
#pragma once

#include "runtime/abi/abi.h"
#include "runtime/abi/wire.h"
#include "runtime/kernel/fiber.hpp"
#include "runtime/kernel/stack.hpp"

namespace heddle::runtime {

void clear_findings();

bool has_finding();

// A finding of the current thread. The first finding of a run counts: later ones may follow from
// it. Addresses in the text are written as {0x...}: the engine replaces them by names. A stack may
// be given, where the current one is not that of the program.
void note_finding(abi::Finding kind, const char* text, const abi::Site* site,
                  const Stack* stack = nullptr);
// The same for a thread other than the current one.
void note_finding_of(const Fiber& thread, abi::Finding kind, const char* text,
                     const abi::Site* site);
// The sites of its accesses, as they are remembered.
void note_data_race(const abi::WireRace& race, const abi::Site* first, const abi::Site* second);

// Not a finding, but why a run ended: it diverged, or did something that is not supported.
void note_reason(const char* text, const abi::Site* site);

void note(abi::Note what);

// The run does not count, and this is where a thread could not continue: the first such place.
void note_held(abi::Held why, const abi::Site* at);
// The same because this thread has reached a bound.
void note_bound(const Fiber& f);

// Adds all of it to the reply.
void report_findings();

// To stderr, for a program started by hand.
void say_what_happened();

}  // namespace heddle::runtime
