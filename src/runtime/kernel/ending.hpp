// How a run ends when no thread can continue: all have ended, or some wait for ever, or it is not a
// run of the program because an assumption does not hold.
//
// Invariant: a verdict is a function of what the threads wait for, and not of the order in which
// they came there. So all runs of one Mazurkiewicz trace end alike.
#pragma once

#include <cstdint>

#include "runtime/abi/wire.h"
#include "runtime/kernel/fiber.hpp"
#include "runtime/kernel/savepoint.hpp"
#include "runtime/kernel/state_hash.hpp"

namespace heddle::runtime {

void clear_ending();
void save_ending(Savepoint& into);
void digest_ending(StateHash& into);

// The process ends with this status while these threads are still live.
void note_exit(int status, std::uint64_t live);
// Whether the process has ended, and the run has reached the number of events at which the
// remaining threads are stopped: what they do, they could have done before, and they may never end.
bool is_over(std::uint32_t events);
void note_left_running(const Fiber& f);

// These threads are live, and none of them can continue, or may.
abi::Ending judge_stuck(std::uint64_t live);

// Among blocked threads, those that wait for each other's locks, or for a lock whose holder has
// ended: they are blocked for ever, whatever other threads do.
std::uint64_t locked_up(std::uint64_t blocked);

}  // namespace heddle::runtime
