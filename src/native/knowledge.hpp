// What is learned of a program while it is explored, and cannot be known before. Whenever something
// is learned, the exploration starts over: what was planned before no longer means the same.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/runner.hpp"
#include "runtime/abi/wire.h"

namespace heddle::native {

struct Knowledge {
  // The work for each event grows with the number of threads there could be: those seen so far.
  std::size_t threads = 2;
  // Granules accessed in parts that overlap without being the same: each is one location.
  std::set<std::uint64_t> mixed;
  // Granules and masks: where plain accesses race, and races are to be explored; and where plain
  // reads see in which order others wrote, if that counts only where an event sees it.
  std::set<std::uint64_t> visible;
  // A thread asks for the value of a semaphore: the order of all that change it counts.
  bool semaphore_values = false;
  // A thread chooses in an atomic block: so each of them may have several alternatives.
  bool block_choices = false;
  // Data races that are suppressed, by the name of their two stacks, and what does it; and those
  // that the source says are benign, by their places.
  struct Pardon {
    std::string from, pattern;
    friend auto operator<=>(const Pardon&, const Pardon&) = default;
  };
  std::map<std::uint64_t, Pardon> pardoned;
  std::set<std::pair<std::uint64_t, std::uint64_t>> benign;
  bool too_much_visible() const { return visible.size() > abi::max_visible; }
};

}  // namespace heddle::native
