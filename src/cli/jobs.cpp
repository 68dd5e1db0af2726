#include "cli/jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/check.hpp"
#include "base/processors.hpp"

namespace heddle::cli {

unsigned engines_of(const Arguments& arguments) {
  if (arguments.jobs != 0) return static_cast<unsigned>(arguments.jobs);
  if (const char* const wanted = std::getenv("HEDDLE_JOBS"); wanted != nullptr && *wanted != 0) {
    unsigned out = 0;
    const char* const end = wanted + std::strlen(wanted);
    if (std::from_chars(wanted, end, out).ptr != end || out == 0 || out > most_engines)
      throw Misuse(
          fmt::format("HEDDLE_JOBS is '{}', and not a number from 1 to {}", wanted, most_engines));
    return out;
  }
  return processors();
}

void print_overhead(const Arguments& arguments, const parallel::Overhead& overhead,
                    const Counts& counts) {
  if (!arguments.verbose) return;
  const std::uint64_t useful = counts.runs();
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
