// Plain accesses and memory orders in random programs.
#pragma once

#include "base/random.hpp"
#include "interp/program.hpp"

namespace heddle::interp {

// The program with plain accesses here and there, to a variable of their own and to others, and
// with memory orders. Which events there are does not depend on them: no value that a race can
// change decides anything.
Program with_plain_accesses(Program program, Random& random);

}  // namespace heddle::interp
