// No reduction: every interleaving. The count that reductions are measured by.
#pragma once

#include "core/machine.hpp"
#include "core/result.hpp"

namespace heddle {

Result explore_none(Machine& machine, const ExploreOptions& options);

}  // namespace heddle
