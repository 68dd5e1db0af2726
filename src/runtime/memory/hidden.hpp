// State that threads share though it is no memory of the program: what the C library keeps to
// itself, and what the runtime keeps in its place. Whoever uses a
// part of it tells so, as of plain memory. Two uses that nothing orders are no data race, since the
// library has locks for them. But their order matters: so from then on the part is visible, its
// uses are steps, and all orders are explored. What only one thread uses costs no step.
#pragma once

#include "runtime/memory/hidden_parts.hpp"

namespace heddle::runtime {

// The current thread is about to look at that part, or to change it.
void look_at(const Part& part);
void change(const Part& part);

}  // namespace heddle::runtime
