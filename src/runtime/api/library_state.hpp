// State of the C library for which the runtime has a place of its own.
#pragma once

#include <cstdint>

#include "runtime/kernel/savepoint.hpp"

namespace heddle::runtime {

// A function that uses what is at this address, if it is such state; otherwise null.
const char* user_of_state(std::uint64_t address);

void clear_library_state();
void save_library_state(Savepoint& into);

}  // namespace heddle::runtime
