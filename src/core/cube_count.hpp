// Which runs of a cube count: see model/cube.hpp.
#pragma once

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
  CubeCount(const Footprints& footprints, const Cube& cube, Counted counted, Observers observers)
      : footprints_(footprints), cube_(cube), counted_(counted), observers_(observers) {}

  bool counts(const Log& log) const;

 private:
  bool is_ordered(std::span<const Event> events, std::size_t first, std::size_t second,
                  std::size_t earlier_waits) const;

  const Footprints& footprints_;
  const Cube& cube_;
  Counted counted_;
  Observers observers_;
};

}  // namespace heddle
