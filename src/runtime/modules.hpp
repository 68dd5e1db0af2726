// The instrumented modules of the program: what they call that they do not define.
#pragma once

#include "runtime/wire.h"

namespace heddle::runtime {

// Has all modules note their calls where the engine sees them, and where they outlive a run. To be
// called before there are runs.
void share_modules(abi::Calls& calls);

}  // namespace heddle::runtime
