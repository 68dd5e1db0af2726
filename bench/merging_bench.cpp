// What merging costs where little or nothing merges: CPU time of whole explorations of model
// programs, interpreter included, by `merging` and by `optimal` in turn, the least of each.
//
//   merging_bench [ROUNDS]                          the table; 15 rounds if not said otherwise
//   merging_bench PROGRAM SIZE ALGORITHM [KB]       one exploration: what it took, and how much
//                                                   memory; with KB, merging keeps within that much
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <string>

#include "base/resources.hpp"
#include "core/algorithm.hpp"
#include "interp/families.hpp"
#include "interp/runner.hpp"

namespace {

using namespace heddle;

// Of this process, in nanoseconds as the kernel counts them.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Taken {
  double seconds = 0;
  Counts counts;
};

Taken explore(const interp::Program& program, const char* algorithm, std::size_t most_kb = 0) {
  ExploreOptions options;
  options.most_memory_kb = most_kb;
  const double before = cpu_seconds();
  interp::ModelRunner runner(program);
  Taken taken;
  taken.counts = find_algorithm(algorithm)->explore({runner, runner.machine()}, options).counts;
  taken.seconds = cpu_seconds() - before;
  return taken;
}

void compare(const char* family, int size, int rounds) {
  const interp::Program program = interp::find_family(family)->make(size);
  Taken optimal, merging;
  for (int k = 0; k < rounds; ++k) {
    const Taken one = explore(program, "optimal"), other = explore(program, "merging");
    if (k == 0 || one.seconds < optimal.seconds) optimal = one;
    if (k == 0 || other.seconds < merging.seconds) merging = other;
  }
  const Counts& m = merging.counts;
  fmt::print("{:<20} {:>10} {:>10} {:>10} {:>10.3f} {:>10.3f} {:>6.2f}\n",
             fmt::format("{}({})", family, size), optimal.counts.executions,
             m.executions + m.blocked + m.merged, m.states, optimal.seconds * 1e3,
             merging.seconds * 1e3, merging.seconds / optimal.seconds);
}

void compare_all(int rounds) {
  fmt::print("{:<20} {:>10} {:>10} {:>10} {:>10} {:>10} {:>6}\n", "program", "executions", "runs",
             "states", "optimal ms", "merging ms", "ratio");
  for (int size = 8; size <= 13; ++size) compare("lastzero", size, rounds);
  for (int size = 10; size <= 16; ++size) compare("readers", size, rounds);
  for (int size = 6; size <= 7; ++size) compare("floatingread-dif", size, rounds);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    compare_all(argc > 1 ? std::max(1, std::atoi(argv[1])) : 15);
    return 0;
  }
  const interp::Family* family = interp::find_family(argv[1]);
  if (family == nullptr || find_algorithm(argv[3]) == nullptr) {
    fmt::print(stderr, "there is no such program, or no such algorithm\n");
    return 2;
  }
  const Taken taken = explore(family->make(std::atoi(argv[2])), argv[3],
                              argc > 4 ? static_cast<std::size_t>(std::atol(argv[4])) : 0);
  const Counts& c = taken.counts;
  const long kb = peak_rss_kb();
  fmt::print("{} executions, {} blocked, {} merged, {} states, {} edges; {:.3f} s, {} kB\n",
             c.executions, c.blocked, c.merged, c.states, c.edges, taken.seconds, kb);
  if (c.states != 0)
    fmt::print("{} bytes a state\n", static_cast<std::uint64_t>(kb) * 1024 / c.states);
}
