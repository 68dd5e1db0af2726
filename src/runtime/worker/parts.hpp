// All that a run changes, in the program and in the runtime: one row for each part (parts.cpp).
#pragma once

namespace heddle::runtime {

// Once, when all libraries are loaded and global objects are initialised: each part is remembered
// as runs find it, and the kernel learns how to reset and to save them (kernel/hooks.hpp).
void set_up_parts();

}  // namespace heddle::runtime
