// Which runs of a cube count: see model/cube.hpp.
#pragma once

#include <vector>

#include "core/order.hpp"
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
  CubeCount(const Footprints& footprints, const Cube& cube, Counted counted, Observers observers);

  bool counts(const Log& log);

 private:
  struct Named {
    StepName step;
    std::size_t place;  // in the run that is looked at
  };
  struct Pair {                 // of an ordered wait
    std::size_t first, second;  // in named_
    std::size_t earlier;        // waits
  };

  std::size_t number_of(StepName step);
  void find(std::span<const Event> events);
  bool is_ordered(std::span<const Event> events, std::size_t first, std::size_t second,
                  std::size_t earlier_waits) const;

  static constexpr std::size_t nowhere = ~std::size_t{0};

  const Footprints& footprints_;
  const Cube& cube_;
  Counted counted_;
  Observers observers_;
  std::vector<Named> named_;
  std::vector<Pair> pairs_;
  std::vector<std::uint32_t> taken_;                 // by thread
  std::vector<std::vector<std::size_t>> of_thread_;  // by thread: its steps in named_
};

}  // namespace heddle
