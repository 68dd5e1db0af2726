// Atomic blocks: what lies between their ends is one step, which is taken where they begin.
#pragma once

#include <cstdint>

#include "runtime/abi.h"
#include "runtime/fiber.hpp"
#include "runtime/op.hpp"

namespace heddle::runtime {

// An access of the block. All of them synchronise with those of other blocks.
void access_in_block(Fiber& self, const void* address, std::uint64_t size, bool writes,
                     const abi::Site* site);

// A step of the current thread that would be one of its own outside. Returns what `step` does.
unsigned step_in_block(const Op& op);

}  // namespace heddle::runtime
