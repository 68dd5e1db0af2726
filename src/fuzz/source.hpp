// Programs as text: in C (or C++) for heddle check, and as data for the interpreter, which is the
// same text for all programs.
#pragma once

#include <span>
#include <string>

#include "fuzz/program.hpp"

namespace heddle::fuzz {

// With -DBOUND=N, loops that wait go round N times at most, and are then assumed away.
std::string source_of(const Program& program);

// Its arguments: programs as data, of which it chooses one by heddle_choose, and, where it is built
// with -DBOUND=bound, the bound.
std::string interpreter_source(bool cxx);
std::string data_of(std::span<const Program> programs);

}  // namespace heddle::fuzz
