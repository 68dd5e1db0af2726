// Atomic blocks: what is between their ends is one step, which is taken where they begin.
//
// A block that chooses is a step with alternatives, one for each combination of its choices. How
// many there are is known only when it has been run: each run of it says which alternative is next.
#pragma once

#include "runtime/kernel/op.hpp"

namespace heddle::runtime {

// The current thread is to stop in the middle of a block, where an assumption does not hold.
// Refused if other threads could see half of the block.
void leave_block();

// An operation of the current thread that would be a step of its own outside of the block. Returns
// what `step` does.
unsigned step_in_block(const Op& op);

}  // namespace heddle::runtime
