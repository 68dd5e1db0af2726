// The threads of a run as a part of its state (digest.hpp).
#pragma once

#include "runtime/kernel/state_hash.hpp"

namespace heddle::runtime {

// Of each thread: what it is about to do, its stack, registers and thread-local storage; and, for
// its loops, what it has done since they began. The current thread is the one whose stack is in
// use. REQUIRES: no thread is due.
void digest_threads(StateHash& into);

}  // namespace heddle::runtime
