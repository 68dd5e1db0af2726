// State that threads share although it is not memory of the program: what the C library keeps to
// itself, and what the runtime keeps in its place. Code that uses a part of it reports that, as for
// plain memory. Two uses that nothing orders are not a data race, since the library has locks for
// them. But their order matters: so from then on the part is visible, its uses are steps, and all
// orders are explored. What only one thread uses costs no step.
#pragma once

#include "runtime/memory/hidden_parts.hpp"

namespace heddle::runtime {

// The current thread is about to read that part, or to change it.
void look_at(const Part& part);
void change(const Part& part);

}  // namespace heddle::runtime
