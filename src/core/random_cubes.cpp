#include "core/random_cubes.hpp"

#include <algorithm>
#include <map>

namespace heddle {

std::optional<std::pair<StepName, StepName>> random_pair(std::span<const Event> run,
                                                         const Footprints& footprints,
                                                         const Cube& cube, Random& random) {
  if (run.empty()) return {};
  std::map<ThreadId, std::uint32_t> taken;
  std::vector<StepName> names;
  for (const Event& e : run) names.push_back({e.move.thread, taken[e.move.thread]++});
  const bool dependent = random.below(5) != 0;
  constexpr int most_tries = 100;  // some runs have few that depend on each other
  for (int n = 0; n < most_tries; ++n) {
    const std::size_t one = random.below(run.size()), other = random.below(run.size());
    const std::size_t i = std::min(one, other), j = std::max(one, other);
    const auto is_theirs = [&](const Wait& w) {
      return w.first == names[i] && w.second == names[j];
    };
    if (names[i].thread == names[j].thread || std::ranges::any_of(cube.waits, is_theirs)) continue;
    if (!dependent || footprints.dependent(run[i].footprint, run[j].footprint))
      return {{names[i], names[j]}};
  }
  return {};
}

}  // namespace heddle
