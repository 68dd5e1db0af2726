// Makes a program that shows a failure smaller, for as long as it still shows it.
#pragma once

#include <functional>

#include "interp/program.hpp"

namespace heddle::interp {

Program shrink(Program program, const std::function<bool(const Program&)>& still_fails);

}  // namespace heddle::interp
