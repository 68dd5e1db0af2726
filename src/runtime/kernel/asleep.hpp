// Moves that sleep: the engine has explored them, and a run that makes one before anything happens
// that matters to it does nothing new. So the policy passes over them.
//
// A move wakes when its thread moves, when a step uses the same object and one of the two does not
// merely read, and when a thread times out. To wake too early costs a run, and loses nothing; so
// memory is compared by granules. A move whose accesses are too many to be kept does not sleep.
#pragma once

#include <cstdint>

#include "runtime/abi/wire.h"

namespace heddle::runtime {

// Before a run: those of the request are to sleep after its schedule.
void begin_sleep();
bool is_any_to_sleep();
// REQUIRES: the schedule is over, and no thread is due.
void put_to_sleep();

bool any_asleep();
// The event that is open has been taken by this thread. `all`: what else it will do is not known.
void wake_by_event(unsigned thread, bool all);
void wake_all();

// How many alternatives of a thread's pending step are awake, and the n-th of them.
unsigned alternatives_awake(unsigned thread);
abi::WireMove nth_awake(unsigned thread, unsigned n);

}  // namespace heddle::runtime
