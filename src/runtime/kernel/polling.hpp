// Threads that look at the clock again and again, sleep, or reach one time limit after another,
// while nothing else happens: no thread but the thread itself sees that time passes. So a round of
// a loop in which only time passes is like one that only waits, except for what the time allows it
// to do.
//
// Such a thread continues only when no other thread can, like one with a time limit, and each time
// the clock is further ahead: so the loop reaches any limit within a few rounds. When time has run
// out, and the loop still goes round, it waits for ever.
#pragma once

#include <cstdint>

#include "runtime/abi/abi.h"
#include "runtime/kernel/fiber.hpp"

namespace heddle::runtime {

// The thread looks at the clock: by how much that advances, in nanoseconds. If the thread does so
// again and again, it is more each time.
std::uint64_t tick(Fiber& self);

// Time has passed for this thread.
void pass_time(Fiber& self);
// It reached a time limit. Returns how much later than the limit it continues.
std::uint64_t pass_limit(Fiber& self);

// Whether only time has passed for the thread since it had this number of effects.
bool only_time_passed(const Fiber& self, std::uint64_t effects);
// REQUIRES: only_time_passed. The thread has come round to where it was then. Returns when the next
// round may begin: at once, if the round waits by itself; at a later time; or never, as time has
// run out.
struct NextRound {
  enum When : std::uint8_t { at_once, later, never } when;
  std::uint64_t time;
};
NextRound come_round_in_time(Fiber& self, std::uint64_t effects, const abi::Site* loop,
                             const void* frame);
// The next round begins.
void begin_round_in_time(Fiber& self);

// The thread waits with a time limit, and it did so before, went round in a loop when the limit was
// reached, and came here again, with all the time that there is; no thread has done anything since.
// (`world`: what all threads have done.)
std::uint64_t done_by_all();
bool is_hopeless(const Fiber& f, std::uint64_t world);

}  // namespace heddle::runtime
