// The part of the schedules that is run, a cube (model/cube.hpp): steps that are not taken before
// certain others.
//
// A step that is held back is not enabled. But nothing may happen *because* it is held back, since
// in the program it could be taken: no time limit is reached, so no clock advances by that, and a
// run in which no other thread can continue is neither complete nor a deadlock nor cut off by a
// loop, but held (Ending::held). If it is the very thread that would time out, or choose which one
// does, then no other does so in its place. What does not depend on the cube comes first: that a
// run is cut off by its number of steps (their limit, and that of threads which are left at
// exit), and trials (trial.hpp), as it is a question about the program whether a thread that was
// stopped in a loop would leave it.
#pragma once

#include <cstdint>

#include "runtime/abi/wire.h"
#include "runtime/kernel/current.hpp"

namespace heddle::runtime {

namespace detail {
struct Waits {
  std::uint64_t threads;  // that have a step which waits
  // By thread of the second step: from begin[id] to begin[id + 1].
  std::uint16_t begin[abi::max_threads + 1];
  abi::WireWait all[abi::max_waits];
  // By thread: how many steps it takes until none that is left is named by a wait.
  std::uint32_t named[abi::max_threads];
};
extern Waits waits;
bool holds_back(unsigned id);
}  // namespace detail

// When settings have changed.
void set_waits();

inline std::uint64_t threads_with_waits() { return detail::waits.threads; }

// Of the number of steps that a thread has taken, what matters from now on: a wait asks whether the
// next step is the one that it names, and whether the one that it names was taken. Beyond the last
// that is named, all numbers are the same to it.
inline std::uint32_t steps_that_count(unsigned id, std::uint32_t taken) {
  return taken < detail::waits.named[id] ? taken : detail::waits.named[id];
}

// Whether the next step of this thread, whichever it is, has to wait for a step of another.
inline bool is_held(unsigned id) {
  return (detail::waits.threads & bit(id)) != 0 && detail::holds_back(id);
}

}  // namespace heddle::runtime
