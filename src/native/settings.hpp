// The settings of a worker, made from the options of an exploration and what was learned so far.
#pragma once

#include <memory>
#include <string>

#include "core/algorithm.hpp"
#include "model/cube.hpp"
#include "native/exploration.hpp"
#include "runtime/abi/wire.h"

namespace heddle::native {

// `covers` is what the algorithm that explores is complete for, and `cube` the part of the
// schedules that is run: threads by their numbers in the names that the worker shares
// (SharedNames). Throws Misuse if that has more waits than a worker takes. (On the heap, because
// settings are large.)
std::unique_ptr<abi::Settings> settings_of(const Options& options, const Knowledge& knowledge,
                                           Covers covers = Covers::final_states,
                                           const Cube& cube = {});

// What a program that is started by hand reads to make this run (abi::RunFile).
std::string run_file(const Options& options, const Schedule& schedule, const Knowledge& knowledge);

}  // namespace heddle::native
