#include "interp/random_cubes.hpp"

#include "core/random_cubes.hpp"

namespace heddle::interp {
namespace {

std::vector<Event> random_run(ModelMachine& machine, Random& random) {
  std::vector<Event> run;
  std::vector<Move> enabled;
  for (machine.reset(), machine.enabled(enabled); !enabled.empty(); machine.enabled(enabled))
    run.push_back(machine.step(random.pick(enabled)));
  return run;
}

}  // namespace

std::vector<Cube> random_cubes(ModelMachine& machine, Random& random, std::size_t depth) {
  std::vector<Cube> out = split_at_random(random.below(depth + 1), [&](const Cube& cube) {
    machine.restrict_to(cube);
    return random_pair(random_run(machine, random), machine.footprints(), cube, random);
  });
  machine.restrict_to({});
  return out;
}

}  // namespace heddle::interp
