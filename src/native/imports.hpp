// What a program calls in libraries.
#pragma once

#include <string>
#include <vector>

namespace heddle::native {

// The functions of libraries that the program is linked to and whose accesses to its memory are not
// seen: neither the runtime stands in their place, nor does the pass know what they do. By the
// names that people know them by, in order.
std::vector<std::string> unseen_functions(const std::string& program);

}  // namespace heddle::native
