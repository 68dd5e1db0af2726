// Memory that is lost when a run ends: allocated, not freed, and nothing points to it.
#pragma once

#include "runtime/abi/abi.h"

namespace heddle::runtime {

// Where some such block was allocated; null if there is none. It is looked for as long as runs are
// few, and then where the number of blocks left is one that has not been seen before.
// What threads point to beside memory, visit_roots visits, by thread.
using VisitRoots = void (*)(unsigned id, void (*visit)(const char* begin, const char* end));
const abi::Site* find_leak(VisitRoots visit_roots);

}  // namespace heddle::runtime
