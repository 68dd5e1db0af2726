// What a program calls in libraries that were not built with heddle.
#pragma once

#include <string>
#include <vector>

#include "native/worker.hpp"

namespace heddle::native {

// The functions that runs called so far, or can have called by way of their addresses, and whose
// accesses to the program's memory are not seen: no module of the program that has hooks defines
// them, the runtime does not stand in their place, and the pass does not know what they do. Sorted,
// by their names in the source. Also places where the program itself does what is not seen, as
// abi::Module has them, and functions for which the linker chose a body without hooks.
std::vector<std::string> unseen_functions(Worker& worker);

}  // namespace heddle::native
