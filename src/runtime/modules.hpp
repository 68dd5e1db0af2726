// The instrumented modules of the program: what they call that they do not define.
#pragma once

#include "runtime/wire.h"

namespace heddle::runtime {

// Has all modules note their calls where the engine sees them, and where they outlive a run. To be
// called before there are runs.
void share_modules(abi::Calls& calls);

namespace detail {
extern bool has_compares;
}
// Whether a module that was there before the first run has compare-exchanges.
inline bool has_compares() { return detail::has_compares; }

}  // namespace heddle::runtime
