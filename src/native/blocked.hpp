// A worker that waits in a call of the system: nothing of it can be explored, and nothing is wrong
// with it either.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "runtime/abi/wire.h"

namespace heddle::native {

// Which thread of the program waits, in which call, and where. None if the process does not wait.
std::optional<std::string> blocked_in(pid_t process, const abi::Whereabouts& whereabouts);

}  // namespace heddle::native
