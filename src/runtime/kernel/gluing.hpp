// Loops that are left by counting, such as those that spin for a while before they block.
//
// All rounds of such a loop that come back do the same, unless another thread changes what they
// read. So when one round has come back, and what it read is still there, the others follow at
// once: nothing of them is recorded, and no other thread continues meanwhile, until the loop is
// left. Why nothing is lost is in docs/how-native-works.md.
#pragma once

#include <cstdint>

#include "runtime/kernel/fiber.hpp"

namespace heddle::runtime {

// A round begins; an event of it has read this; it has come back; the loop is left.
void begin_round(Fiber& self);
void note_round_read(Fiber& self, const void* address, std::uint64_t size);
void glue(Fiber& self);
void end_gluing(Fiber& self);

// What it has read in this round, as a part of the state.
void digest_round(const Fiber& f, StateHash& into);

}  // namespace heddle::runtime
