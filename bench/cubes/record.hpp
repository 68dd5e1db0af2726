// Explores a model program, and each cube that splitting it again and again makes.
#pragma once

#include <string>

#include "cubes/recorded.hpp"

namespace heddle::cubes {

Recorded record(const std::string& family, int size, const std::string& algorithm);

}  // namespace heddle::cubes
