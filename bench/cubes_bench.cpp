// How explorations in parts scale: records sizes of cubes, and replays them with up to 1,024
// engines, in virtual time.
//
//   cubes_bench --record              explores model programs; prints what bench/data/cubes.txt has
//   cubes_bench --parts FILE          the largest of 32 parts of each program, as a share of its
//                                     runs
//   cubes_bench FILE [SECONDS [ENGINES]]
//                                     replays it for explorations that take one engine SECONDS, an
//                                     hour unless given; prints a table (TSV)
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "base/check.hpp"
#include "cubes/record.hpp"
#include "cubes/replay.hpp"
#include "cubes/simulate.hpp"
#include "parallel/split.hpp"

namespace {

using namespace heddle;
using namespace heddle::cubes;

struct Sized {
  const char* family;
  int size;
  const char* algorithm;
};
// Few accesses to many places, and many to one; compare-exchange; mutexes; messages; a queue.
constexpr Sized subjects[] = {
    {"lastzero", 9, "optimal"},       {"readers", 11, "optimal"},
    {"floatingread", 6, "optimal"},   {"indexer", 14, "optimal"},
    {"filesystem", 23, "optimal"},    {"lock-server", 5, "optimal"},
    {"boundedbuffer", 6, "optimal"},  {"lastzero", 9, "observers"},
    {"floatingread", 8, "observers"},
};
constexpr double run_times[] = {10e-6, 1e-3, 10e-3};  // seconds
constexpr unsigned fewest_engines = 2, most_engines = 1024;
// A tree of 150,000 nodes has 25 MB with what belongs to it (parallel/control.hpp).
constexpr double megabytes_of_node = 25.0 / 150'000;

void record_all() {
  fmt::print(
      "# Sizes of cubes, recorded by: cubes_bench --record > bench/data/cubes.txt\n"
      "# What the lines are: bench/cubes/recorded.hpp. Times are of a machine that was busy.\n");
  std::cout.flush();
  for (const auto& [family, size, algorithm] : subjects)
    write(std::cout, record(family, size, algorithm));
}

void print_row(const Recorded& of, double seconds, const char* by, const Setting& setting,
               const Simulated& s) {
  const double speedup = seconds / s.seconds;
  fmt::print(
      "{}({})\t{}\t{:.3g}\t{}\t{}\t{:.2f}\t{:.3f}\t{:.3f}\t{:.0f}\t{:.0f}\t{:.1f}\t{:.0f}\t{}"
      "\n",
      of.program, of.size, of.algorithm, setting.run * 1e6, by, setting.engines, speedup,
      speedup / setting.engines, 1 - s.counted / s.made, s.counted, s.cubes, s.messages / s.seconds,
      s.nodes * megabytes_of_node, s.open);
}

void simulate_all(std::istream& from, double seconds, unsigned fewest, unsigned most) {
  fmt::print(
      "program\talgorithm\trun_us\tby\tengines\tspeedup\tefficiency\tthrown_"
      "away\tcounted\tcubes\t"
      "messages_a_second\ttree_mb\topen\n");
  for (const Recorded& of : read(from))
    for (const double run_time : run_times) {
      // No compiled program is as fast if its model is not.
      const double own = static_cast<double>(of.whole().microseconds) * 1e-6 / of.whole().runs();
      if (run_time < own) continue;
      const Subject subject(of, seconds / run_time);
      const double run = seconds / subject.runs(subject.whole());
      for (unsigned engines = fewest; engines <= most; engines *= 2) {
        const Setting here{engines, run, local()}, anywhere{engines, run, broker(engines)};
        print_row(of, seconds, "local", here, simulate(subject, here));
        print_row(of, seconds, "broker", anywhere, simulate_cluster(subject, anywhere));
      }
    }
}

void print_parts(std::istream& from) {
  constexpr std::size_t wanted = 32;
  for (const Recorded& of : read(from)) {
    const Subject subject(of, of.whole().runs());
    Replay engine(subject);
    const auto parts =
        parallel::split_into(engine, {.cube = "", .estimate = 1}, wanted, [] { return false; });
    double most = 0;
    for (const parallel::Item& part : parts)
      most = std::max(most, subject.runs(subject.place_of(part.cube)));
    fmt::print("{}({})\t{}\t{}\t{:.3f}\n", of.program, of.size, of.algorithm, parts.size(),
               most / of.whole().runs());
  }
}

std::ifstream opened(const char* name) {
  std::ifstream file(name);
  if (!file) throw Misuse(fmt::format("cannot read {}", name));
  return file;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  try {
    if (argc == 2 && first == "--record") {
      record_all();
    } else if (argc == 3 && first == "--parts") {
      std::ifstream file = opened(argv[2]);
      print_parts(file);
    } else if (argc >= 2 && argc <= 4) {
      std::ifstream file = opened(argv[1]);
      const auto engines = argc == 4 ? static_cast<unsigned>(std::stoul(argv[3])) : 0;
      simulate_all(file, argc >= 3 ? std::stod(argv[2]) : 3600,
                   engines != 0 ? engines : fewest_engines, engines != 0 ? engines : most_engines);
    } else {
      throw Misuse("usage: cubes_bench --record | --parts FILE | FILE [SECONDS [ENGINES]]");
    }
  } catch (const Misuse& misuse) {
    fmt::print(stderr, "cubes_bench: {}\n", misuse.what());
    return 2;
  }
}
