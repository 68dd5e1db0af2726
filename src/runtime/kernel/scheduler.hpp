// Which thread continues. A thread announces each step before it takes it; the schedule, and after
// its end the policy, decides which thread's step is taken.
//
// Invariants.
// (1) A thread other than the current one is in one of three places: in `step_pending`, its step
//     announced in Fiber::pending; in `await_end` or `stop_in_loop`, which are not steps; or it has
//     not begun. So whatever happens next is known before it happens.
// (2) A step is recorded when it is decided on, before the thread takes it: what it reads and does
//     is done after `step` returns, and before any other thread continues.
// (3) The number of events in the reply is the number of moves made: it is the index of the next
//     move in the schedule.
// (4) Nothing here depends on anything but the schedule, the events so far and the settings.
#pragma once

#include "runtime/abi/wire.h"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/op.hpp"

namespace heddle::runtime {

// Returns when the current thread may take this step: the alternative, where it is a choice, and 1
// where it timed out. (The step is built in Fiber::pending, where the scheduler reads it: to copy
// it costs more than to decide.) REQUIRES: is_running() and not is_gluing().
unsigned step_pending();
[[gnu::always_inline]] inline unsigned step(const Op& op) {
  current().pending = op;
  return step_pending();
}

// The same for a step that the thread may have to announce anew: false if it became due instead.
bool step_unless_due(const Op& op, unsigned& alternative);

// Some number below n, each of which is explored.
unsigned choose(unsigned n);
// The same, where what is done with the number shows by itself whether it is an effect.
unsigned choose_without_effect(unsigned n);

// For the life of threads: returns when it is the current thread's turn. REQUIRES: it has announced
// what it waits for.
void await_turn();
// Decides which thread continues, or the base if none can; records its
// step as taken, unless the thread is due.
Fiber& decide();
// REQUIRES: `to` is not the current fiber, whose stack pointer is that of its last switch; unless
// its stack has been prepared anew.
void switch_to(Fiber& to);

// For the run: what is requested.
void follow(const abi::RequestHeader& request, const abi::WireMove* moves, std::uint32_t step_limit,
            std::uint32_t save_at);
// Why the base was entered in the middle of a run; it enters the current fiber again afterwards.
struct Errand {
  bool save;  // to make a savepoint
  bool ask;   // whether a thread that spins would leave its loop now
};
Errand take_errand();
void answer(bool spinner_goes_on);
// No thread can continue.
bool is_stuck();

}  // namespace heddle::runtime
