// Makes a program that shows a difference smaller, for as long as it still shows it.
#pragma once

#include <functional>

#include "fuzz/program.hpp"

namespace heddle::fuzz {

Program shrink(Program program, const std::function<bool(const Program&)>& still_differs);

}  // namespace heddle::fuzz
