// Compiled programs: a worker by itself, whole explorations with one worker, and what it takes from
// the start of a worker to a verdict. The programs in bench/native are compiled first.
//
//   native_bench --benchmark_min_time=1 --benchmark_repetitions=5
//     --benchmark_report_aggregates_only=true
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "native/exploration.hpp"

namespace {

using namespace heddle;

std::string built(const std::string& source, const std::string& flags = "") {
  const auto path =
      std::filesystem::temp_directory_path() /
      fmt::format("heddle_bench_{}_{}", std::filesystem::path(source).stem().string(), getpid());
  const char* compiler = source.ends_with(".c") ? "cc" : "c++ -std=c++20";
  const std::string command = fmt::format("{} {} {} {}/{} -o {}", HEDDLE, compiler, flags,
                                          HEDDLE_BENCH_PROGRAMS, source, path.string());
  if (std::system(command.c_str()) != 0) std::exit(1);
  return path.string();
}

// In kB: of the memory that a worker has beyond its program's, most is the channel.
double resident(pid_t process) {
  std::ifstream in(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("VmRSS:")) return std::strtod(line.c_str() + 6, nullptr);
  return 0;
}

// Requests for the first schedule, as many in flight as there is room for; the replies are taken
// and not looked at.
void worker_alone(benchmark::State& state) {
  native::Worker worker({built("treiber.cpp")});
  const auto settings = std::make_unique<abi::Settings>();
  settings->step_limit = 1000;
  worker.configure(*settings);
  std::uint64_t in_flight = 0;
  std::uint32_t serial = 0;
  for (auto _ : state) {
    while (in_flight < 64 &&
           worker.send({0, 0, abi::Then::proceed, 0, 0, ++serial, {}, 0, 0, 0}, {}))
      ++in_flight;
    const abi::ReplyHeader* reply = worker.receive();
    if (reply == nullptr || reply->finding != abi::Finding::none) std::exit(1);
    --in_flight;
  }
  state.counters["runs_per_second"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["worker_kB"] =
      worker.with_process([](pid_t process) { return resident(process); });
}
BENCHMARK(worker_alone)->UseRealTime();

void explore(benchmark::State& state, const char* source, const char* flags,
             const char* algorithm) {
  native::Options options;
  options.command = {built(source, flags)};
  std::uint64_t executions = 0;
  for (auto _ : state)
    executions += native::explore(*find_algorithm(algorithm), options).counts.executions;
  state.counters["executions"] =
      benchmark::Counter(static_cast<double>(executions), benchmark::Counter::kAvgIterations);
  state.counters["per_second"] =
      benchmark::Counter(static_cast<double>(executions), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(explore, floating_read_7_optimal, "floating_read.c", "-DN=7", "optimal")
    ->UseRealTime();
BENCHMARK_CAPTURE(explore, floating_read_7_observers, "floating_read.c", "-DN=7", "observers")
    ->UseRealTime();
BENCHMARK_CAPTURE(explore, treiber_optimal, "treiber.cpp", "", "optimal")->UseRealTime();
BENCHMARK_CAPTURE(explore, start_to_verdict, "trivial.c", "", "observers")
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
