// Splitting a cube into parts of about the same size.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "parallel/engine.hpp"

namespace heddle::parallel {

// How many runs a cube is probed with, to estimate its size. What is done in a probe is thrown away
// (unless the cube has no more), so it is few; with 30, the largest of 32 parts of readers,
// lastzero and floatingread has 4 to 8 % of all runs (bench/cubes_bench.cpp).
inline constexpr std::uint64_t probe_runs = 30;

struct Split {
  std::vector<Item> parts;        // that are to be explored, as leftmost as they come
  std::uint64_t thrown_away = 0;  // runs
};

using OnComplete = std::function<void(const std::string& cube)>;

// Splits a cube into about `wanted` parts, always the largest first. Cubes that turn out to have no
// more runs than a probe are explored by that: `on_complete` is called after each, and can keep it.
// Fewer parts if cubes cannot be split. May throw Learned; `stop` is asked between probes.
Split split_into(Engine& engine, const std::string& cube, std::size_t wanted,
                 const OnComplete& on_complete, const std::function<bool()>& stop);

}  // namespace heddle::parallel
