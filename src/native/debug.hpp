// A run under gdb.
#pragma once

#include "native/exploration.hpp"

namespace heddle::native {

// Becomes gdb, with the program about to make the same run again, and heddle's own commands. The
// run has a finding. Throws Misuse if there is no gdb.
[[noreturn]] void debug(const std::vector<std::string>& program, const Replay& run);

}  // namespace heddle::native
