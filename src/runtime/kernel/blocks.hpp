// Atomic blocks: what lies between their ends is one step, which is taken where they begin.
//
// A block that chooses is a step with alternatives, one for each combination of its choices. How
// many there are is known only when it has been run: each tells which is the next.
#pragma once

#include "runtime/kernel/op.hpp"

namespace heddle::runtime {

// The current thread is to stop in the middle of a block, where an assumption does not hold.
// Refused if others could see half of it.
void leave_block();

// A step of the current thread that would be one of its own outside. Returns what `step` does.
unsigned step_in_block(const Op& op);

}  // namespace heddle::runtime
