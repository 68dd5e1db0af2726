// Properties of threads that change nothing here, but that programs can ask for: names, priorities,
// and processors.
#pragma once

#include "runtime/kernel/savepoint.hpp"

namespace heddle::runtime {

// A new thread has what the current one has; the first has none, and then no thread has any.
void begin_properties(unsigned id);
void save_properties(Savepoint& into);

// What prctl does to the name of the current thread. False if the option is for something else.
bool use_name(int option, long argument);

}  // namespace heddle::runtime
