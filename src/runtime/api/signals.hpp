// Signals that the program sends to itself: each thread has its mask and its pending signals, and
// all share the handlers. The system knows none of this: to it, they are one thread, which must be
// able to receive the faults that the runtime depends on.
//
// A thread receives a signal where it sends it, or where it unblocks it; the handler runs like a
// function that it calls there.
#pragma once

#include <signal.h>

#include <cstdint>

#include "runtime/api/pending_signals.hpp"
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

// The rest is for the functions that programs call (signal_calls.cpp).

struct SignalAction {
  // Or SIG_DFL, or SIG_IGN. It has one argument or three.
  void (*handler)(int, siginfo_t*, void*);
  SignalSet mask;
  int flags;
};

// Whether programs may use a signal of this number: two are the C library's own.
bool is_signal(int number);

// REQUIRES: the number is that of a signal, and its use has been reported (hidden.signal_handlers).
const SignalAction& signal_action(int number);
void set_signal_action(int number, const SignalAction& action);

// What is pending for the current thread, and for the process.
SignalSet pending_signals();
// Receives one that is pending and in the set, without calling a handler: returns its number, or 0
// if there is none. The thread's own come first.
int take_pending(SignalSet wanted, siginfo_t& info);
// With this mask, the current thread receives a signal that is pending; then its mask is as before.
void suspend(SignalSet mask);

// What a signal that the process sends to itself comes with.
siginfo_t info_of(int number, int code, sigval value = {});
// REQUIRES: the number is that of a signal.
void send_to_thread(unsigned id, int number, const siginfo_t& info);
void send_to_process(int number, const siginfo_t& info);
// What a signal does by default.
[[noreturn]] void end_by_signal(int number);

}  // namespace heddle::runtime
