// Which thread of the program is running, and in which mode: what most of the runtime asks all the
// time.
//
// Invariants. In a run, `current()` is the fiber whose stack is in use, unless that is the base
// (the scheduler's `run`, trials and savepoints work there). At most one of is_trying() and
// is_gluing() holds, and each of them only in a run.
#pragma once

#include <cstdint>

#include "runtime/kernel/fiber.hpp"

namespace heddle::runtime {

namespace detail {
struct Now {
  Fiber* fiber;
  bool running, concurrent, trying, gluing, judging;
  std::uint64_t present;    // threads, by number
  const void* judged_from;  // the stack of what is judging is below
};
extern Now now;
}  // namespace detail

// There is a run. Before main, and between runs, nothing is scheduled.
inline bool is_running() { return detail::now.running; }
// A second thread has been created in this run: before that, no other thread can see memory.
inline bool is_concurrent() { return detail::now.concurrent; }
// The current thread is only being tried, to see whether it would leave its loop (trial.hpp). What
// it does is undone, and must not be recorded: it may not reach clocks, shadow or recorder.
inline bool is_trying() { return detail::now.trying; }
// The current thread executes rounds of a loop that follow at once (gluing.hpp): it takes no steps.
inline bool is_gluing() { return detail::now.gluing; }

// The current thread asks the program whether it wants a message (mailboxes.hpp): what that does is
// neither recorded nor a step. It counts as if there were no other thread, which ends when the
// thread fails.
inline bool is_judging() { return detail::now.judging; }
inline void end_judging() {
  if (detail::now.judging) detail::now.concurrent = detail::now.present != 1;
  detail::now.judging = false;
}

inline Fiber& current() { return *detail::now.fiber; }

// Sets of threads are words with a bit for each.
static_assert(abi::max_threads == 8 * sizeof(detail::Now::present));
inline std::uint64_t bit(unsigned id) { return std::uint64_t{1} << id; }

// Calls visit(id) for each thread of the set.
template <typename Visit>
void for_set(std::uint64_t set, Visit visit) {
  for (; set != 0; set &= set - 1) visit(static_cast<unsigned>(__builtin_ctzll(set)));
}

// Calls visit(fiber) for each thread that this run has created, whatever its status is now.
template <typename Visit>
void for_threads(Visit visit) {
  for_set(detail::now.present, [&](unsigned id) { visit(fiber(id)); });
}

}  // namespace heddle::runtime
