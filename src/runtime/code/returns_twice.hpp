// Functions that can return more than once to where they were called from, as setjmp does.
#pragma once

#include "runtime/code/instruction.hpp"

namespace heddle::runtime {

// Whether this call is of such a function. Calls through the table of another library are followed.
// (Through a register, it is none: the address of setjmp cannot be taken.)
bool may_return_twice(const Instruction& call);

}  // namespace heddle::runtime
