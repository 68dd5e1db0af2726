// How often the forecast of an exploration holds the truth: on model programs of the papers, when
// 1, 10 and 50 % of the runs have been done, and in between. First on those by which the constants
// of the forecast were chosen, then on others: more families and other sizes, and random programs.
//
//   forecast_bench [--record]     with --record, what the forecast was told of the former, one line
//                                 for each time
#include <fmt/format.h>

#include <cstring>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/algorithm.hpp"
#include "core/forecast.hpp"
#include "interp/families.hpp"
#include "interp/random_program.hpp"
#include "interp/runner.hpp"

namespace {

using namespace heddle;

struct Sized {
  const char* family;
  int size;
};
constexpr Sized subjects[] = {
    {"lastwrite", 7},
    {"floatingread", 7},
    {"floatingread-2phases", 4},
    {"abs", 4},
    {"abs-2phases", 3},
    {"producer-consumer", 6},
    {"boundedbuffer", 8},
    {"pi", 7},
    {"pipesort", 5},
    {"registration", 4},
    {"lastzero", 10},
    {"lastzero", 12},
    {"readers", 13},
    {"writers", 7},
    {"indexer", 15},
    {"filesystem", 22},
    {"not-selective", 7},
    {"lock-server", 5},
    {"fib", 6},
};
constexpr Sized held_out[] = {
    {"lastwrite", 8},         {"lastwrite-dif", 6},
    {"lastwrite-2phases", 4}, {"floatingread", 9},
    {"floatingread", 6},      {"floatingread-dif", 8},
    {"abs-dif", 5},           {"producer-consumer", 7},
    {"producer-consumer", 9}, {"boundedbuffer", 9},
    {"boundedbuffer", 6},     {"pi", 9},
    {"arraywrite", 12},       {"arraywrite", 14},
    {"quicksort", 8},         {"quicksort", 9},
    {"mergesort", 11},        {"mergesort", 13},
    {"mergesort", 15},        {"registration", 6},
    {"lastzero", 8},          {"lastzero", 13},
    {"readers", 11},          {"readers", 16},
    {"writers", 5},           {"indexer", 13},
    {"filesystem", 21},       {"filesystem", 23},
    {"selective", 6},         {"not-selective", 8},
    {"lock-server", 7},       {"fib", 5},
};
constexpr double shares[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9};
constexpr double fewest = 300, apart = 1.05;
constexpr std::uint64_t most = 500000;
constexpr int random_programs = 12000;

struct Told {
  double runs, told;
};

// What the tree shows during the exploration, and how many runs it had in the end; 0 if they
// are too many.
std::vector<Told> told_of(const Algorithm& algorithm, const interp::Program& program,
                          double& total) {
  interp::ModelRunner runner(program);
  std::vector<Told> out;
  double done = 0, next = 8;
  ExploreOptions options;
  options.max_executions = most;
  options.may_continue = [&](const Ongoing& now) {
    const Tree* const tree = now.tree;
    if (done >= next) {
      out.push_back({done, tree->outlook().runs});
      next = done * apart;
    }
    ++done;
    return true;
  };
  const Result result = algorithm.explore({runner, runner.machine()}, options);
  const Counts& counts = result.counts;
  total = result.complete ? static_cast<double>(counts.executions + counts.blocked) : 0;
  return out;
}

struct Tally {
  int right = 0, wrong = 0, none = 0;
};

void judge(const std::vector<Told>& told, double total, std::map<double, Tally>& tallies) {
  for (const double share : shares) {
    Forecast forecast;
    for (const Told& t : told)
      if (t.runs <= share * total) forecast.note(t.runs, t.told);
    const auto range = forecast.range();
    Tally& tally = tallies[share];
    if (!range)
      ++tally.none;
    else
      ++(range->low <= total && total <= range->high ? tally.right : tally.wrong);
  }
}

using Named = std::pair<std::string, interp::Program>;

std::vector<Named> families(std::span<const Sized> sized) {
  std::vector<Named> out;
  for (const auto& [family, size] : sized)
    out.emplace_back(fmt::format("{}-{}", family, size), interp::find_family(family)->make(size));
  return out;
}

std::vector<Named> random_ones() {
  std::vector<Named> out;
  Random random(2);
  for (int k = 0; k < random_programs; ++k) {
    const interp::Shape& shape =
        interp::shapes()[static_cast<std::size_t>(k) % interp::shapes().size()];
    out.emplace_back(fmt::format("{}-{}", shape.name, k), shape.make(random));
  }
  return out;
}

void measure(const char* title, const std::vector<Named>& programs, bool record) {
  std::map<double, Tally> tallies;
  int explorations = 0;
  for (const char* name : {"optimal", "observers"})
    for (const auto& [program, code] : programs) {
      double total = 0;
      const std::vector<Told> told = told_of(*find_algorithm(name), code, total);
      if (total < fewest) continue;
      ++explorations;
      judge(told, total, tallies);
      if (!record) continue;
      for (const Told& t : told)
        fmt::print("{}\t{}-{}\t{:.0f}\t{:.0f}\t{:.0f}\n", title, name, program, total, t.runs,
                   t.told);
    }
  if (record) return;
  fmt::print("{}, {} explorations\ndone      holds  does not  no range\n", title, explorations);
  for (const auto& [share, t] : tallies)
    fmt::print("{:>3.0f} %  {:>9}{:>10}{:>10}\n", share * 100, t.right, t.wrong, t.none);
}

}  // namespace

int main(int argc, char** argv) {
  const bool record = argc > 1 && std::strcmp(argv[1], "--record") == 0;
  measure("those it was made by", families(subjects), record);
  if (record) return 0;  // tests/data/forecasts.tsv
  measure("others", families(held_out), record);
  measure("random programs", random_ones(), record);
}
