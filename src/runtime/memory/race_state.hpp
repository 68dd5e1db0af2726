// Which accesses of a run may yet be found to race with one that follows, as a part of its state.
//
// An access that is remembered races with a later one of a thread that does not know it, which
// depends on which threads, fences, locks and atomic variables do: a thread knows what it has
// acquired. Two runs that come to the same memory may differ in that. Ticks of clocks do not
// matter, only what they tell apart.
#pragma once

#include "runtime/kernel/state_hash.hpp"

namespace heddle::runtime {

void digest_race_state(StateHash& into);

}  // namespace heddle::runtime
