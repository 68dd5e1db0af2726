#include "cli/jobs.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace heddle::cli {

void print_overhead(const Arguments& arguments, const parallel::Overhead& overhead,
                    const Counts& counts) {
  if (!arguments.verbose) return;
  const std::uint64_t useful = counts.executions + counts.blocked;
  const std::uint64_t in_vain = overhead.thrown_away + counts.discarded;
  const double share = 100.0 * static_cast<double>(in_vain) /
                       static_cast<double>(std::max<std::uint64_t>(useful + in_vain, 1));
  fmt::print(stderr,
             "heddle: {} engine{}, {} part{}; {} runs thrown away and {} that count in other parts "
             "({:.1f} % of all runs)\n",
             overhead.engines, overhead.engines == 1 ? "" : "s", overhead.cubes,
             overhead.cubes == 1 ? "" : "s", overhead.thrown_away, counts.discarded, share);
}

}  // namespace heddle::cli
