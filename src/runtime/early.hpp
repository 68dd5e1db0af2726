// What goes wrong before main begins: while global objects are initialised, no run is under way
// yet.
#pragma once

#include "runtime/abi.h"
#include "runtime/wire.h"

namespace heddle::runtime {

// Every run of the program ends like this: whatever the engine asks for, this is the answer. Kind
// `none`: nothing is wrong, but main never begins.
[[noreturn]] void end_before_main(abi::Finding kind, const char* text);

// Global objects are initialised: runs can be made.
void begin_runs();
bool has_begun();

}  // namespace heddle::runtime
