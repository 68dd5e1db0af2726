#include "interp/random_cubes.hpp"

#include <algorithm>

namespace heddle::interp {
namespace {

struct Named {
  Event event;
  StepName name;
};

std::vector<Named> random_run(ModelMachine& machine, Random& random) {
  std::vector<Named> run;
  std::vector<std::uint32_t> taken(machine.thread_count());
  std::vector<Move> enabled;
  for (machine.reset(), machine.enabled(enabled); !enabled.empty(); machine.enabled(enabled)) {
    const Move move = random.pick(enabled);
    run.push_back({machine.step(move), {move.thread, taken[move.thread]++}});
  }
  return run;
}

std::optional<std::pair<StepName, StepName>> random_pair(ModelMachine& machine, Random& random) {
  const std::vector<Named> run = random_run(machine, random);
  const bool dependent = random.below(5) != 0;
  std::vector<std::pair<StepName, StepName>> pairs;
  for (std::size_t j = 0; j < run.size(); ++j)
    for (std::size_t i = 0; i < j; ++i) {
      const auto same = [&](const Wait& w) {
        return w.first == run[i].name && w.second == run[j].name;
      };
      if (run[i].name.thread == run[j].name.thread ||
          std::ranges::any_of(machine.cube().waits, same))
        continue;
      if (!dependent ||
          machine.footprints().dependent(run[i].event.footprint, run[j].event.footprint))
        pairs.emplace_back(run[i].name, run[j].name);
    }
  if (pairs.empty()) return {};
  return random.pick(pairs);
}

}  // namespace

std::vector<Cube> random_cubes(ModelMachine& machine, Random& random, std::size_t depth) {
  std::vector<Cube> out;
  std::vector<std::pair<Cube, std::size_t>> work = {{Cube(), random.below(depth + 1)}};
  while (!work.empty()) {
    auto [cube, left] = std::move(work.back());
    work.pop_back();
    machine.restrict_to(cube);
    const auto pair = left == 0 ? std::nullopt : random_pair(machine, random);
    if (!pair) {
      out.push_back(std::move(cube));
      continue;
    }
    auto [first, second] = cube.split(pair->first, pair->second);
    work.emplace_back(std::move(first), left - 1);
    work.emplace_back(std::move(second), left - 1);
  }
  machine.restrict_to({});
  return out;
}

}  // namespace heddle::interp
