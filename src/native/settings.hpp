// The settings of a worker, made from the options of an exploration and what was learned so far.
#pragma once

#include <memory>
#include <string>

#include "core/algorithm.hpp"
#include "native/exploration.hpp"
#include "runtime/abi/wire.h"

namespace heddle::native {

// `covers` is what the algorithm that explores is complete for. (On the heap, because settings are
// large.)
std::unique_ptr<abi::Settings> settings_of(const Options& options, const Knowledge& knowledge,
                                           Covers covers = Covers::final_states);

// What a program that is started by hand reads to make this run (abi::RunFile).
std::string run_file(const Options& options, const Schedule& schedule, const Knowledge& knowledge);

}  // namespace heddle::native
