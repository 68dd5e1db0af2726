// Compares every algorithm with brute force on random programs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/algorithm.hpp"
#include "interp/program.hpp"

namespace heddle::interp {

// What an algorithm did wrong on a program.
struct Failure {
  std::string algorithm;
  std::string what;
};

struct FuzzOptions {
  double seconds = 60;
  std::uint64_t max_programs = 0;  // 0: no limit
  std::uint64_t seed = 1;
  std::vector<const Algorithm*> algorithms;  // empty: all but `none`
  std::string shape;                         // empty: all, in turn
  const Dependence* dependence = &Dependence::standard();
  std::function<void(const struct FuzzReport&)> on_progress;  // about once a second
  // If given, programs are made and handed over, and nothing is judged.
  std::function<void(const Program&, std::string_view shape, std::uint64_t seed)> on_program;
};

struct FuzzReport {
  struct PerAlgorithm {
    std::uint64_t executions = 0;
    std::uint64_t blocked = 0;
    std::uint64_t merged = 0;
    std::uint64_t lossy_programs = 0;  // for a published algorithm: those of which it lost outcomes
  };
  std::uint64_t programs = 0;
  std::uint64_t traces = 0;
  double seconds = 0;
  std::map<std::string, PerAlgorithm> by_algorithm;

  // The first failure of a sound algorithm, with the program, shrunk.
  std::optional<Failure> failure;
  Program program;
  std::string shape;
  std::uint64_t program_seed = 0;
};

// Compares an algorithm with brute force on one program. Reports a lost outcome, or data races that
// are others than those of brute force; of `optimal` and
// `observers` also a trace explored twice or not at all, and an execution given up. The any-order
// algorithms are also run in a random order, with several runs in flight at once; `merging` in
// several orders, also with less memory than it needs.
class Judge {
 public:
  Judge(const Program& program, const Dependence& dependence);
  ~Judge();

  // False if the program is too large to judge.
  bool usable() const;
  // False if the algorithm refuses such programs.
  bool can_be_explored_by(const Algorithm& algorithm) const;
  std::uint64_t traces() const;
  std::optional<Failure> check(const Algorithm& algorithm, std::uint64_t seed, Counts& counts);

 private:
  std::string check_orders(const Algorithm& algorithm, std::uint64_t seed, const Counts& whole);
  // Sound algorithms also explore random cubes of the program, which have to add up to the whole.
  std::string check_cubes(const Algorithm& algorithm, std::uint64_t seed, const Counts& whole);

  struct Oracle;
  std::unique_ptr<Oracle> oracle_;
};

FuzzReport fuzz(const FuzzOptions& options);

}  // namespace heddle::interp
