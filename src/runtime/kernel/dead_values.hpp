// What a thread has in registers and on its stack, and will never look at again.
//
// Compilers leave it there: registers that no longer hold anything, and what functions have saved
// of them. It differs between runs that come to the same state. So wherever states are compared, it
// is cleared when a thread comes to wait for its turn: then the states are alike byte by byte, and
// so is whatever comes of them.
#pragma once

#include <cstdint>

#include "runtime/sys/mapping.hpp"

namespace heddle::runtime {

enum class DeadValues : std::uint8_t {
  keep,
  clear,
  replace,  // by something that is not there otherwise, and depends on nothing but the place
};

// What becomes of them in a run whose states are compared, or not. To find out whether values that
// are taken for dead are dead, the environment can ask for one of the three, in any run.
inline constexpr char dead_values_variable[] = "HEDDLE_DEAD_VALUES";
DeadValues dead_values_of_run(bool compares_states);

// Of a thread that came to wait for its turn here (turn.hpp), on this stack: clears those of the
// registers that calls preserve, and those of their copies in frames, that no function on the stack
// uses any more; or replaces them. REQUIRES: `how` is not keep.
void end_dead_values(std::uint64_t* entered, Range stack, DeadValues how);

}  // namespace heddle::runtime
