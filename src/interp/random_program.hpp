// Random small programs, in shapes that stress one part of the vocabulary each, and mixed.
#pragma once

#include <span>
#include <string_view>

#include "base/random.hpp"
#include "interp/program.hpp"

namespace heddle::interp {

struct Shape {
  std::string_view name;
  Program (*make)(Random& random);
};

std::span<const Shape> shapes();

}  // namespace heddle::interp
