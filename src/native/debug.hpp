// A run under gdb.
#pragma once

#include "native/exploration.hpp"

namespace heddle::native {

// Replaces this process by gdb (exec), with the program about to repeat the run, and with heddle's
// own commands. REQUIRES: the run has a finding. Throws Misuse if gdb is not installed.
[[noreturn]] void debug(const std::vector<std::string>& program, const Replay& run);

}  // namespace heddle::native
