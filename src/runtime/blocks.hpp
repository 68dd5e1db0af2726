// Atomic blocks: what lies between their ends is one step, which is taken where they begin.
//
// A block that chooses is a step with alternatives, one for each combination of its choices. How
// many there are is known only when it has been run: each tells which is the next.
#pragma once

#include <cstdint>

#include "runtime/abi.h"
#include "runtime/fiber.hpp"
#include "runtime/op.hpp"

namespace heddle::runtime {

// The outermost of the current thread.
void begin_block();

// The current thread is to stop in the middle of a block, where an assumption does not hold.
// Refused if others could see half of it.
void leave_block();

// An access of the block. All of them synchronise with those of other blocks.
void access_in_block(Fiber& self, const void* address, std::uint64_t size, bool writes,
                     const abi::Site* site);

// A step of the current thread that would be one of its own outside. Returns what `step` does.
unsigned step_in_block(const Op& op);

}  // namespace heddle::runtime
