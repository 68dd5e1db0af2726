// A data race that was seen in a run, or on the graph of states, so that explorations can be
// compared: one granule, and the two accesses.
#pragma once

#include <compare>
#include <cstdint>
#include <set>

namespace heddle::native {

struct SeenRace {
  struct Side {
    std::uint64_t site;
    bool writes, atomic;
    friend auto operator<=>(const Side&, const Side&) = default;
  };
  std::uint64_t memory;  // granule and mask: the bytes that both use
  Side one, other;       // the smaller first

  friend auto operator<=>(const SeenRace&, const SeenRace&) = default;
};
using SeenRaces = std::set<SeenRace>;

}  // namespace heddle::native
