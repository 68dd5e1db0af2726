// Threads that look at the clock again and again, sleep, or run into a time limit after the other,
// while nothing else happens: nobody but the thread itself sees that time passes. So a round of a
// loop in which only time passes is like one that only waits, but for what the time lets it do.
//
// Such a thread is let go on only when nobody else can, like one with a time limit, and each time
// the clock is a longer way ahead: so the loop comes to any limit within a few rounds. When time
// has run out, and the loop still goes round, it waits for ever.
#pragma once

#include <cstdint>

#include "runtime/abi/abi.h"
#include "runtime/kernel/fiber.hpp"

namespace heddle::runtime {

// The thread looks at the clock: by how much that moves on, in nanoseconds. If it does so again and
// again, that is more each time.
std::uint64_t tick(Fiber& self);

// Time has passed for this thread.
void pass_time(Fiber& self);
// It ran into a time limit; by how much later than that it goes on.
std::uint64_t pass_limit(Fiber& self);

// Whether only time has passed for the thread since it had this number of effects.
bool only_time_passed(const Fiber& self, std::uint64_t effects);
// It is so, and the thread has come round to where it was then. When the next round may begin: at
// once, if the round waits by itself; at a later time; or never, as time has run out.
struct NextRound {
  enum When : std::uint8_t { at_once, later, never } when;
  std::uint64_t time;
};
NextRound come_round_in_time(Fiber& self, std::uint64_t effects, const abi::Site* loop,
                             const void* frame);
// The next round begins.
void begin_round_in_time(Fiber& self);

// The thread waits with a time limit, and it did so before, went round in a loop when the limit was
// reached, and came here again, with all the time that there is; nobody has done anything since.
// (`world`: what all threads have done.)
std::uint64_t done_by_all();
bool is_hopeless(const Fiber& f, std::uint64_t world);

}  // namespace heddle::runtime
