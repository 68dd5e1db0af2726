// Memory that is lost when a run ends: allocated, not freed, and nothing points to it.
#pragma once

#include "runtime/abi.h"

namespace heddle::runtime {

// Where some such block was allocated; null if there is none. It is looked for as long as runs are
// few, and then where the number of blocks left is one that has not been seen before.
const abi::Site* find_leak();

}  // namespace heddle::runtime
