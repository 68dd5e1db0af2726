// Random splits of model programs into cubes: see model/cube.hpp.
#pragma once

#include <vector>

#include "base/random.hpp"
#include "interp/machine.hpp"
#include "model/cube.hpp"

namespace heddle::interp {

// Parts that have every trace of the program once, split up to `depth` times one after the other,
// by pairs of steps of random runs. Most depend on each other there; some have nothing to do with
// each other. The machine is restricted to the whole program in the end.
std::vector<Cube> random_cubes(ModelMachine& machine, Random& random, std::size_t depth);

}  // namespace heddle::interp
