// What goes wrong before main begins: while global objects are initialised, there is no run yet.
#pragma once

#include "runtime/abi/wire.h"

namespace heddle::runtime {

// Every run of the program ends like this: whatever the engine asks for, this is the reply. Kind
// `none`: nothing is wrong, but main never begins.
[[noreturn]] void end_before_main(abi::Finding kind, const char* text);

// Something that is not supported.
[[noreturn]] void refuse_before_main(const char* what);

// Global objects are initialised: runs can be made.
void begin_runs();
bool has_begun();

}  // namespace heddle::runtime
