// By which pair of steps to split a cube.
#pragma once

#include <optional>

#include "core/order.hpp"
#include "model/cube.hpp"
#include "model/runner.hpp"

namespace heddle::parallel {

struct Splitting {
  StepName first, second;
  double in_vain = 0, cost = 0;  // see Halves
};

// How many runs are made to choose a pair. With six, pairs are chosen now and then that have most
// runs in both halves (bench/cubes_bench.cpp: readers that observe little have half the speed).
inline constexpr std::uint64_t sampled_runs = 10;

// A race of some run of the runner's cube: there is a run with the two steps in this order, and one
// with the other, so neither half is empty. Of the races of a few random runs, the one by which
// halves seem to be the most alike, and have the fewest runs in vain. None if these have no race.
// REQUIRES: nothing is in flight. Throws Learned.
std::optional<Splitting> steps_to_split_by(Runner& runner, Observers observers);

// Whether a cube that is being explored can be split: one of its first runs has a race.
class Divisible {
 public:
  explicit Divisible(Observers observers) : observers_(observers) {}

  // Another cube is explored from now on.
  void begin() { *this = Divisible(observers_); }
  // A run of it.
  void note(const Log& run, const Runner& runner) {
    if (!yes_ && ++runs_ <= most_runs) yes_ = has_race(run, runner);
  }
  bool yes() const { return yes_; }

 private:
  // Of which those without a race may be the first by chance: a program that begins with a data
  // choice, or that mostly takes one way.
  static constexpr unsigned most_runs = 8;

  bool has_race(const Log& run, const Runner& runner) const;

  Observers observers_;
  bool yes_ = false;
  unsigned runs_ = 0;
};

}  // namespace heddle::parallel
