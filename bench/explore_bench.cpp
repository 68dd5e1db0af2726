// Whole explorations of the built-in model programs, interpreter included: executions a second, and
// allocations an execution, which are to be none once everything has found its size.
//
//   explore_bench --benchmark_min_time=1 --benchmark_repetitions=5
//     --benchmark_report_aggregates_only=true
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <new>

#include "core/algorithm.hpp"
#include "interp/families.hpp"
#include "interp/runner.hpp"

namespace {
std::size_t allocations = 0;
}  // namespace

// Not inlined, or the compiler takes them for a mismatched pair.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

using namespace heddle;

void explore(benchmark::State& state, const char* program, int size, const char* algorithm) {
  const interp::Program made = interp::find_family(program)->make(size);
  const Algorithm* how = find_algorithm(algorithm);
  std::uint64_t executions = 0, steady = 0, allocated = 0;
  for (auto _ : state) {
    interp::ModelRunner runner(made);
    std::uint64_t runs = 0;
    std::size_t at_half = 0, half = 0;
    ExploreOptions options;
    options.on_run = [&](const Log&) {
      // The second half of the runs is the steady state; how many there are, the first round tells.
      if (++runs == steady) {
        at_half = allocations;
        half = runs;
      }
      return Decision::proceed;
    };
    const Result result = how->explore({runner, runner.machine()}, options);
    allocated = half == 0 ? 0 : allocations - at_half;
    executions += result.counts.executions;
    steady = runs / 2 + 1;
  }
  state.counters["executions"] =
      benchmark::Counter(static_cast<double>(executions), benchmark::Counter::kAvgIterations);
  state.counters["per_second"] =
      benchmark::Counter(static_cast<double>(executions), benchmark::Counter::kIsRate);
  state.counters["allocations_in_second_half"] = static_cast<double>(allocated);
}

#define EXPLORE(name, program, size, algorithm) \
  BENCHMARK_CAPTURE(explore, name, program, size, algorithm)->Unit(benchmark::kMillisecond)

EXPLORE(optimal / floatingread_dif_7, "floatingread-dif", 7, "optimal");
EXPLORE(optimal / lastzero_11, "lastzero", 11, "optimal");
EXPLORE(optimal / readers_15, "readers", 15, "optimal");
EXPLORE(optimal / indexer_15, "indexer", 15, "optimal");
EXPLORE(optimal / filesystem_20, "filesystem", 20, "optimal");
EXPLORE(optimal / boundedbuffer_8, "boundedbuffer", 8, "optimal");
EXPLORE(optimal / pi_8, "pi", 8, "optimal");
EXPLORE(optimal / lock_server_5, "lock-server", 5, "optimal");
EXPLORE(observers / floatingread_dif_10, "floatingread-dif", 10, "observers");
EXPLORE(observers / lastzero_11, "lastzero", 11, "observers");
EXPLORE(observers / readers_15, "readers", 15, "observers");
EXPLORE(observers / lock_server_6, "lock-server", 6, "observers");
EXPLORE(source / floatingread_dif_6, "floatingread-dif", 6, "source");
EXPLORE(source / readers_12, "readers", 12, "source");
EXPLORE(merging / pi_7, "pi", 7, "merging");

}  // namespace

BENCHMARK_MAIN();
