// Splitting a cube into parts of about the same size.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "parallel/engine.hpp"

namespace heddle::parallel {

struct Wanted {
  std::size_t parts = 2;
  // This number at least, if there are pairs of steps. More only if that costs few runs in vain:
  // where steps vary, each part has some that count in others.
  std::size_t least = 2;
};

// Always the largest first, by the shares that halves seem to have. As leftmost as they come, with
// estimates if the cube has one. Fewer if cubes cannot be split. May throw Learned; `stop` is asked
// in between.
std::vector<Item> split_into(Engine& engine, const Item& cube, Wanted wanted,
                             const std::function<bool()>& stop);

// How many runs the whole program seems to have, after a few of them. May throw Learned.
double outlook_of_whole(Engine& engine, const std::function<bool()>& stop);

}  // namespace heddle::parallel
