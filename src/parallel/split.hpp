// Splitting a cube into parts of about the same size.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "parallel/engine.hpp"

namespace heddle::parallel {

// Always the largest first, taking each half for one half. As leftmost as they come, with
// estimates if the cube has one. Fewer if cubes cannot be split. May throw Learned; `stop` is asked
// in between.
std::vector<Item> split_into(Engine& engine, const Item& cube, std::size_t parts,
                             const std::function<bool()>& stop);

// How many runs the whole program seems to have, after a few of them. May throw Learned.
double outlook_of_whole(Engine& engine, const std::function<bool()>& stop);

}  // namespace heddle::parallel
