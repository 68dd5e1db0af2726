// What threads have that changes nothing here, and that they can ask for: names, priorities, and
// processors.
#pragma once

#include "runtime/savepoint.hpp"

namespace heddle::runtime {

// A new thread has what the current one has; the first has none, and then nobody has any.
void begin_properties(unsigned id);
void save_properties(Savepoint& into);

}  // namespace heddle::runtime
