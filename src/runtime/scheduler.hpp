// Who goes next. A thread announces each visible step before it takes it; the schedule, and behind
// its end the policy, decides whose step is taken.
#pragma once

#include "runtime/abi.h"
#include "runtime/clock.hpp"
#include "runtime/explain.hpp"
#include "runtime/fiber.hpp"
#include "runtime/op.hpp"
#include "runtime/savepoint.hpp"
#include "runtime/wire.h"

namespace heddle::runtime {

namespace detail {
extern Fiber* current_fiber;
extern bool running, concurrent;
extern std::uint64_t present;
}  // namespace detail

// A run is under way; before main, and between runs, nothing is scheduled.
inline bool is_running() { return detail::running; }
// A second thread has been created in this run: before, nobody else can see memory.
inline bool is_concurrent() { return detail::concurrent; }
inline Fiber& current() { return *detail::current_fiber; }

// Calls visit for each thread that this run has created, whatever became of it.
template <typename Visit>
void for_threads(Visit visit) {
  for (std::uint64_t rest = detail::present; rest != 0; rest &= rest - 1)
    visit(fiber(static_cast<unsigned>(__builtin_ctzll(rest))));
}

// Returns when the current thread may take this step; the alternative, where it is a choice, and 1
// where it gave up waiting. (The step is made where the scheduler looks for it: to copy it costs
// more than to decide.)
unsigned step_pending();
[[gnu::always_inline]] inline unsigned step(const Op& op) {
  current().pending = op;
  return step_pending();
}

// Some number below n, each of which is explored.
unsigned choose(unsigned n);
// The same, where what comes of it tells by itself whether it is an effect.
unsigned choose_without_effect(unsigned n);

// The thread would rather have others go on.
void prefer_others();

// A new thread, whose creator has taken the step. Its number depends on its creator alone. It goes
// on to its first step before any thread takes another.
unsigned next_child();
void create_thread(unsigned id, void* (*function)(void*), void* argument);

// Returns when the thread has ended; false: the time limit was reached before. This is no step, and
// neither is that end, as no thread can tell when they happen: what comes of them is that the next
// step of the current thread comes after all of the other's. (Who can tell asks for hidden.ends.)
bool await_end(Fiber& other, const TimeLimit& limit = {});

// The current thread has ended; if it is the last, the process exits. Or it ends the process as if
// all the other threads went on to their ends first. (What they do then, they could have done
// before.)
[[noreturn]] void finish_thread();
[[noreturn]] void exit_process(int status);
// The current thread waits for what never comes, the end of the process.
[[noreturn]] void stop_for_ever();

// A thread that has ended goes on in this function, after all that others did; its stack is empty.
void bring_back(Fiber& f, void (*function)(Fiber*));

// A finding: the current thread stops there, the others go on.
[[noreturn]] void fail(abi::Finding kind, const char* message, const Stack* stack = nullptr);
// The program does what we cannot explore; the run is given up.
[[noreturn]] void unsupported(const char* what);

// The current thread goes on for longer than a run may take.
[[noreturn]] void end_endless();

// There is no room for more of this: the current thread goes no further, or, if it may hold locks
// of the C library, or is in an atomic block, nobody does. The run does not count, and what it
// would have done is not known.
[[noreturn]] void reach_bound(abi::Bound bound);

// The current thread goes no further in this run. Spinning: unless, when nobody else can go on, it
// turns out that it could; `loop` says where.
[[noreturn]] void stop_assuming();
void stop_spinning(const abi::Site* loop, const void* frame);
// The same, but it goes on at this time at the latest, which is then its own: when nobody can go on
// otherwise, and no time limit ends before.
void wait_in_loop(const abi::Site* loop, const void* frame, std::uint64_t until);

// To be called whenever a fiber has been entered.
void be_visited();
// Runs f once on the stack of each other thread that is live or spins.
void visit_other_threads(void (*f)());

// Part of the state of a run, see state.hpp.
void clear_scheduler();
void save_scheduler(Savepoint& into);

// One run, as requested; its reply is complete afterwards, but not published.
void run_program(void* (*main_function)(void*));

}  // namespace heddle::runtime
