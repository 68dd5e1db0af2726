// Memory that is lost when a run ends: allocated, not freed, and nothing points to it.
#pragma once

#include "runtime/abi/abi.h"

namespace heddle::runtime {

// Where some such block was allocated; null if there is none. It is searched for in the first runs,
// and after that where the number of blocks left has not been seen before. visit_roots visits, by
// thread, what threads point to besides memory.
using VisitRoots = void (*)(unsigned id, void (*visit)(const char* begin, const char* end));
const abi::Site* find_leak(VisitRoots visit_roots);

}  // namespace heddle::runtime
