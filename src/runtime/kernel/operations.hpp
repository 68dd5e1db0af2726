// What operations do: when they are enabled, what blocks them, and which accesses they count as.
// The kinds are the rows of abi/operations.def.
#pragma once

#include <cstdint>

#include "runtime/abi/abi.h"
#include "runtime/kernel/fiber.hpp"
#include "runtime/kernel/op.hpp"
#include "runtime/kernel/text.hpp"

namespace heddle::runtime {

// Whether thread `id` can take this step now.
bool is_enabled(const Op& op, unsigned id);

// Whether a compare-exchange finds what it expects.
bool exchanges(const Op& op);

// The threads because of which it is blocked, as a set, where that is known: holders of the lock,
// or the thread that is to end.
std::uint64_t held_up_by(const Op& op);

// What a thread is blocked doing at this place, and because of what: "locking {0x...} at a.c:9,
// held by thread 2 since a.c:15". The engine replaces the address by the name of the object.
void describe(const Op& op, const abi::Site* at, Text& text);

// The same for what a thread has announced.
void describe_of(const Fiber& f, Text& text);

// Adds the accesses of this step, if taken now by thread `id`, to the event that began last.
void record_accesses(const Op& op, unsigned id);
// The same for a range of memory.
void record_range(const void* from, std::uint64_t size, bool writes);
// And that the thread timed out; that it has joined other threads.
void record_time_out();
void record_joined(std::uint64_t threads);

}  // namespace heddle::runtime
