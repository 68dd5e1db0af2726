// By which pair of steps to split a cube.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/order.hpp"
#include "model/cube.hpp"
#include "model/runner.hpp"

namespace heddle::parallel {

using StepPair = std::pair<StepName, StepName>;

// A race of this run of the cube: there is a run with the two steps in this order, and one with the
// other, so neither half is empty. One whose steps do not vary if there is one, as halves by others
// have runs that do not count; with observers, preferably one that needs no observer.
std::optional<StepPair> steps_to_split_by(const Log& run, const Footprints& footprints,
                                          std::size_t threads, Observers observers,
                                          const Cube& cube);

// The same of some run of the runner's cube: of the first, or of others if that has no race.
// REQUIRES: nothing is in flight. Throws Learned.
std::optional<StepPair> steps_to_split_by(Runner& runner, Observers observers);

// Pairs of cubes, as runs of them turn up.
class Pairs {
 public:
  explicit Pairs(Observers observers) : observers_(observers) {}

  // The cube that is explored from now on, as text.
  void begin(const std::string& cube) {
    current_ = &pairs_[cube];
    runs_ = 0;
  }
  // A run of it.
  void note(const Log& run, const Runner& runner) {
    if (*current_ || ++runs_ > most_runs) return;
    *current_ = steps_to_split_by(run, runner.footprints(), runner.thread_count(), observers_,
                                  runner.cube());
  }
  bool has_pair() const { return current_->has_value(); }
  // That of a cube, which is forgotten; the runner is asked if no run of it turned up.
  std::optional<StepPair> take(const std::string& cube, Runner& runner);
  void clear() { pairs_.clear(); }

 private:
  // Of which those without a race may be the first by chance: a program that begins with a data
  // choice, or that mostly takes one way.
  static constexpr unsigned most_runs = 8;

  Observers observers_;
  std::unordered_map<std::string, std::optional<StepPair>> pairs_;
  std::optional<StepPair>* current_ = nullptr;
  unsigned runs_ = 0;
};

}  // namespace heddle::parallel
