// What a program calls in libraries.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace heddle::native {

// The functions of libraries that a program is linked to and whose accesses to its memory are not
// seen: neither the runtime stands in their place, nor does the pass know what they do. In order,
// by the names that people know them by. Of a process that is alive.
std::vector<std::string> unseen_functions(pid_t process);

}  // namespace heddle::native
