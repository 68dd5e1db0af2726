// Signals that the program sends to itself: each thread has its mask and its pending signals, and
// all share the handlers. The system knows none of this: to it, they are one thread, which must be
// able to receive the faults that the runtime depends on.
//
// A thread receives a signal where it sends it, or where it unblocks it; the handler runs like a
// function that it calls there.
#pragma once

#include <cstdint>

#include "runtime/kernel/savepoint.hpp"

namespace heddle::runtime {

// A new thread has the mask of the current one, and nothing pending.
void begin_signals(unsigned id);
// Its attributes give it another mask.
void begin_with_mask(unsigned id, std::uint64_t mask);

// Whether the program has a handler for this.
bool has_handler(int number);

// The mask of the current thread: a bit for each signal, the first for signal 1.
std::uint64_t signal_mask();
void set_signal_mask(std::uint64_t mask);

// The current thread sends itself a signal: returns if that did not end the process, after the
// handler if there is one, or at once if it is blocked.
void raise_signal(int number);

// The actions of signals, and the mask of the first thread, are what they were when main began.
void remember_signals();
void restore_signals();
void save_signals(Savepoint& into);

}  // namespace heddle::runtime
