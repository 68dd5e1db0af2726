// How many engines explore at once.
#pragma once

#include <sched.h>

#include <algorithm>

#include "cli/arguments.hpp"
#include "parallel/control.hpp"

namespace heddle::cli {

// More are of no use on one machine: parts for them would be too small.
inline constexpr std::uint64_t most_engines = 1024;

// As many as the user wants, or as there are processors for this process.
inline unsigned engines_of(const Arguments& arguments) {
  if (arguments.jobs != 0) return static_cast<unsigned>(arguments.jobs);
  cpu_set_t processors;
  if (sched_getaffinity(0, sizeof processors, &processors) != 0) return 1;
  return static_cast<unsigned>(std::max(CPU_COUNT(&processors), 1));
}

// Says what it cost to explore in parts, if the user wants to know.
void print_overhead(const Arguments& arguments, const parallel::Overhead& overhead,
                    const Counts& counts);

}  // namespace heddle::cli
