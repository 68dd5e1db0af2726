// How often the forecast of an exploration holds the truth: on model programs of the papers, when
// 1, 10 and 50 % of the runs have been done, and in between.
//
//   forecast_bench [--record]     with --record, what the forecast was told, one line for each time
#include <fmt/format.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "core/algorithm.hpp"
#include "core/forecast.hpp"
#include "interp/families.hpp"
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
constexpr double shares[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9};
constexpr double fewest = 300, apart = 1.05;

struct Told {
  double runs, told;
};

// What the tree tells as the exploration goes on, and how many runs it had in the end.
std::vector<Told> told_of(const Algorithm& algorithm, const Sized& subject, double& total) {
  interp::ModelRunner runner(interp::find_family(subject.family)->make(subject.size));
  std::vector<Told> out;
  double done = 0, next = 8;
  ExploreOptions options;
  options.go_on = [&](const Tree* tree) {
    if (done >= next) {
      out.push_back({done, tree->outlook().runs});
      next = done * apart;
    }
    ++done;
    return true;
  };
  const Counts counts = algorithm.explore({runner, runner.machine()}, options).counts;
  total = static_cast<double>(counts.executions + counts.blocked);
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

}  // namespace

int main(int argc, char** argv) {
  const bool record = argc > 1 && std::strcmp(argv[1], "--record") == 0;
  std::map<double, Tally> tallies;
  for (const char* name : {"optimal", "observers"})
    for (const Sized& subject : subjects) {
      double total = 0;
      const std::vector<Told> told = told_of(*find_algorithm(name), subject, total);
      if (total < fewest) continue;
      judge(told, total, tallies);
      if (!record) continue;
      for (const Told& t : told)
        fmt::print("{}-{}-{}\t{:.0f}\t{:.0f}\t{:.0f}\n", name, subject.family, subject.size, total,
                   t.runs, t.told);
    }
  if (record) return 0;
  fmt::print("done      holds  does not  no range\n");
  for (const auto& [share, t] : tallies)
    fmt::print("{:>3.0f} %  {:>9}{:>10}{:>10}\n", share * 100, t.right, t.wrong, t.none);
}
