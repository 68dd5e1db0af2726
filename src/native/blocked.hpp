// Detects workers that are blocked in a system call. Such a run cannot be explored, but that is not
// a finding either.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "runtime/abi/wire.h"

namespace heddle::native {

// Which thread of the program is blocked, in which call, and where. None if the process is not
// blocked.
std::optional<std::string> blocked_in(pid_t process, const abi::Whereabouts& whereabouts);

}  // namespace heddle::native
