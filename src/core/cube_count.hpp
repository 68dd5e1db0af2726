// Which runs of a cube count: see model/cube.hpp.
#pragma once

#include <memory>
#include <vector>

#include "core/execution.hpp"
#include "model/cube.hpp"
#include "model/runner.hpp"

namespace heddle {

// What is counted once.
enum class Counted : std::uint8_t {
  trace,     // each Mazurkiewicz trace
  schedule,  // each schedule: a run is ordered by itself
  state,     // nothing: runs that lead to a state that is known are not made
};

class CubeCount {
 public:
  // REQUIRES: the cube outlives it, and has steps of fewer than `threads` threads.
  CubeCount(const Footprints& footprints, std::size_t threads, const Cube& cube, Counted counted,
            Observers observers);

  bool counts(const Log& log);

 private:
  static constexpr std::size_t nowhere = ~std::size_t{0};
  static constexpr std::uint32_t never = ~std::uint32_t{0};

  struct Named {
    StepName step;
    std::size_t place;  // in the run that is looked at
  };
  struct OfThread {
    std::vector<std::size_t> steps;         // in named_, by index
    std::uint32_t taken = 0, next = never;  // steps; and which is looked for
    std::size_t found = 0;                  // of steps
  };
  struct Pair {                 // of an ordered wait
    std::size_t first, second;  // in named_
    std::size_t earlier;        // waits
    // The run that was looked at last, by the order of the cube that was split. Runs that follow
    // each other have much in common, which is not computed again.
    std::unique_ptr<Execution> split = nullptr;
  };

  std::size_t number_of(StepName step);
  void find(std::span<const Event> events);
  bool are_dependent(const Event& first, const Event& second) const;
  bool is_ordered(std::span<const Event> events, Pair& pair) const;

  const Footprints& footprints_;
  std::size_t threads_;
  const Cube& cube_;
  Counted counted_;
  Observers observers_;
  std::vector<Named> named_;
  std::vector<Pair> pairs_;
  std::vector<OfThread> of_thread_;  // by thread
};

}  // namespace heddle
