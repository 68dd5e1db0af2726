// Exploring a compiled program with the algorithm that turns out to be faster: `observers`, or, if
// that would take long and states repeat, `merging` (parallel/alternation.hpp).
#pragma once

#include "core/algorithm.hpp"
#include "native/exploration.hpp"

namespace heddle::native {

// With which it begins, and whose checkpoints it has.
inline constexpr const char* first_choice = "observers";

struct Choice {
  Report report;  // of all that was explored with this algorithm
  const Algorithm* algorithm = nullptr;
};

// As `explore` does with either. If it is stopped, the report is that of `observers`, with a
// checkpoint to continue from. A limit of executions is one of `observers`, which then explores
// alone.
Choice explore_by_choice(const Options& options);

}  // namespace heddle::native
