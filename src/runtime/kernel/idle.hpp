// Rounds of a waiting loop that had no effect, but during which another thread failed to take a
// lock that this one had for a while: the round has been seen, so that it cannot be left out, and
// the loop goes round again.
//
// Who fails in a waiting loop of its own does so in every round: that it has seen the lock taken
// counts once, and not again when it has come round since without an effect. Otherwise two threads
// that keep each other off, each with a lock that the other fails to take, would continue for ever.
#pragma once

#include <cstdint>

#include "runtime/abi/abi.h"

namespace heddle::runtime {

struct Fiber;

// The attempt of this thread to take a lock has failed. True: it is the first time that it sees so.
bool sees_for_the_first_time(Fiber& self, const void* lock);

// It has come round in a loop without an effect. True: this has been seen, and is not left out.
bool must_go_round(Fiber& self);

}  // namespace heddle::runtime
