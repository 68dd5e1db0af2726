// Random splits into cubes (model/cube.hpp), for fuzzers.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "model/cube.hpp"
#include "model/event.hpp"

namespace heddle {

// Two steps of a run of the cube, in the order in which they came. Mostly such that depend on each
// other there; sometimes any two. None if there are none, or few.
std::optional<std::pair<StepName, StepName>> random_pair(std::span<const Event> run,
                                                         const Footprints& footprints,
                                                         const Cube& cube, Random& random);

// Parts that have every trace of a program once, split `depth` times one after the other, by what
// `pair_of` returns for a cube: two steps of a run of it, or nothing.
template <typename PairOf>
std::vector<Cube> split_at_random(std::size_t depth, PairOf pair_of) {
  std::vector<Cube> out;
  std::vector<std::pair<Cube, std::size_t>> work = {{Cube(), depth}};
  while (!work.empty()) {
    auto [cube, left] = std::move(work.back());
    work.pop_back();
    const auto pair = left == 0 ? std::nullopt : pair_of(cube);
    if (!pair) {
      out.push_back(std::move(cube));
      continue;
    }
    auto [first, second] = cube.split(pair->first, pair->second);
    work.emplace_back(std::move(first), left - 1);
    work.emplace_back(std::move(second), left - 1);
  }
  return out;
}

}  // namespace heddle
