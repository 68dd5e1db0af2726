// Random programs, in shapes that stress one part of what threads do to each other, and mixed.
#pragma once

#include <span>
#include <string_view>

#include "base/random.hpp"
#include "fuzz/program.hpp"

namespace heddle::fuzz {

struct Shape {
  std::string_view name;
  // The objects that programs use: some of the first, and all of the second.
  std::string_view some, all;
  bool timed = false;  // there may be time limits
  // If there is a loop that waits, it uses one of the first, none of the second, and one of the
  // third, if there are any.
  std::string_view waits_for = "", not_for = "", and_for = "";
};

std::span<const Shape> shapes();

// The same for the same seed.
Program generate(const Shape& shape, std::uint64_t seed);

}  // namespace heddle::fuzz
