// How many engines explore at once.
#pragma once

#include <cstdint>

#include "cli/arguments.hpp"
#include "parallel/control.hpp"

namespace heddle::cli {

// More are of no use on one machine: parts for them would be too small.
inline constexpr std::uint64_t most_engines = 1024;

// As many as the user wants, by -j or HEDDLE_JOBS, or as there are processors for this process.
unsigned engines_of(const Arguments& arguments);

// Says what it cost to explore in parts, if the user wants to know.
void print_overhead(const Arguments& arguments, const parallel::Overhead& overhead,
                    const Counts& counts);

}  // namespace heddle::cli
