// State of the C library for which the runtime has a place of its own.
#pragma once

#include "runtime/savepoint.hpp"

namespace heddle::runtime {

void clear_library_state();
void save_library_state(Savepoint& into);

}  // namespace heddle::runtime
