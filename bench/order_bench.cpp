// Finding the order and the races of one run, against its length and its threads, where threads
// have nothing in common, and where they all use one location. Time per event is to grow no worse
// than with the number of threads.
#include <benchmark/benchmark.h>

#include <vector>

#include "core/execution.hpp"

namespace {

using namespace heddle;

// Each thread writes its own location, or (conflicts) now and then the one that all share.
void assign(benchmark::State& state, Observers observers, bool conflicts) {
  const auto threads = static_cast<std::size_t>(state.range(0));
  const auto length = static_cast<std::size_t>(state.range(1));
  Footprints footprints;
  std::vector<Event> events;
  for (std::size_t k = 0; k < length; ++k) {
    const std::size_t t = k % threads;
    const bool shared = conflicts && k % 8 == t % 8;
    const Access access{static_cast<Location>(shared ? threads : t), Mode::write};
    events.push_back(
        {{static_cast<ThreadId>(t), 0}, footprints.intern(std::span(&access, 1)), 0, 1});
  }
  Execution execution(footprints, threads, observers);
  for (auto _ : state) {
    execution.assign(events, {});
    benchmark::DoNotOptimize(execution.races().data());
  }
  state.counters["per_event_and_thread"] = benchmark::Counter(
      static_cast<double>(length * threads),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["races"] = static_cast<double>(execution.races().size());
}

BENCHMARK_CAPTURE(assign, no_conflicts, Observers::no, false)
    ->ArgNames({"threads", "events"})
    ->ArgsProduct({{2, 8, 32, 128}, {100, 1000, 10000}});
BENCHMARK_CAPTURE(assign, no_conflicts_observers, Observers::yes, false)
    ->ArgNames({"threads", "events"})
    ->ArgsProduct({{8}, {100, 1000, 10000}});
BENCHMARK_CAPTURE(assign, conflicts, Observers::no, true)
    ->ArgNames({"threads", "events"})
    ->ArgsProduct({{8}, {100, 1000, 10000}});

}  // namespace

BENCHMARK_MAIN();
