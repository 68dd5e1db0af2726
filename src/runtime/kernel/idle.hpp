// Rounds of a waiting loop that had no effect, but during which another thread failed to acquire a
// lock that this one held for a while: the round has been seen, so it cannot be left out, and the
// loop goes round again.
//
// A thread that fails in a waiting loop of its own does so in every round: that it has seen the
// lock held counts once, and not again when it has come round since without an effect. Otherwise
// two threads that keep each other out, each with a lock that the other fails to acquire, would
// continue for ever.
#pragma once

#include <cstdint>

#include "runtime/abi/abi.h"
#include "runtime/kernel/state_hash.hpp"

namespace heddle::runtime {

struct Fiber;

// The attempt of this thread to acquire a lock has failed. True: it sees that for the first time.
bool sees_for_the_first_time(Fiber& self, const void* lock);

// It has come round in a loop without an effect. True: the round has been seen, and is not left
// out.
bool must_go_round(Fiber& self);

// As a part of the state.
void digest_idle(const Fiber& f, StateHash& into);

}  // namespace heddle::runtime
