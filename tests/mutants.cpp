// Shows that the fuzzer notices a wrong dependence table: each dependent pair of modes in turn is
// made independent, and the fuzzer has to find a program on which that matters.
//
//   mutants [SECONDS]     how long each may take (default 60)
//
// tests/mutants.py does the same for rules that are code.
#include <fmt/format.h>

#include <cstdlib>

#include "base/check.hpp"
#include "interp/fuzz.hpp"

int main(int argc, char** argv) {
  using namespace heddle;
  const double seconds = argc > 1 ? std::atof(argv[1]) : 60;
  const Dependence& right = Dependence::standard();
  int mutants = 0, survivors = 0;
  for (std::size_t i = 0; i < mode_count; ++i)
    for (std::size_t j = i; j < mode_count; ++j) {
      const Mode x = static_cast<Mode>(i), y = static_cast<Mode>(j);
      if (class_of(x) != class_of(y)) continue;
      if (right.by_mode(x, y) == Relation::none && right.by_mode(y, x) == Relation::none) continue;
      ++mutants;
      const Dependence wrong = right.without(x, y);
      interp::FuzzOptions options;
      options.seconds = seconds;
      options.dependence = &wrong;
      for (const char* name : {"optimal", "observers", "source", "merging"})
        options.algorithms.push_back(find_algorithm(name));
      const interp::FuzzReport report = interp::fuzz(options);
      fmt::print("{:<22}{:<22}", name_of(x), name_of(y));
      if (report.failure)
        fmt::print("caught after {} programs, {:.1f} s: {} {}\n", report.programs, report.seconds,
                   report.failure->algorithm, report.failure->what);
      else
        fmt::print("SURVIVED {} programs, {:.1f} s\n", report.programs, report.seconds);
      std::fflush(stdout);
      survivors += report.failure ? 0 : 1;
    }
  fmt::print("{} mutants, {} survived\n", mutants, survivors);
  return survivors == 0 ? 0 : 1;
}
