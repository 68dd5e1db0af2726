// What is learned about a program while it is explored, and cannot be known before. Whenever
// something is learned, the exploration starts over: what was planned before no longer means the
// same.
#pragma once

#include <algorithm>
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
  // The number of threads. The work for each event grows with it, so it is that of the threads seen
  // so far.
  std::size_t threads = 2;
  // Granules accessed in parts that overlap without being equal: each is one location.
  std::set<std::uint64_t> mixed;
  // Granules and masks of plain accesses that are events: where they race, if races are explored;
  // and where a plain read observes the order of writes, if that order counts only where an event
  // observes it.
  std::set<std::uint64_t> visible;
  // A thread reads the value of a semaphore: the order of all operations that change it counts.
  bool semaphore_values = false;
  // A thread chooses in an atomic block: so every block may have several alternatives.
  bool block_choices = false;
  // Suppressed data races, by the name of their two stacks, with the suppression; and those that
  // the source declares benign, by their places.
  struct Pardon {
    std::string from, pattern;
    friend auto operator<=>(const Pardon&, const Pardon&) = default;
  };
  std::map<std::uint64_t, Pardon> pardoned;
  std::set<std::pair<std::uint64_t, std::uint64_t>> benign;

  // Adds what another exploration of the same program has learned.
  Knowledge& operator+=(const Knowledge& other) {
    threads = std::max(threads, other.threads);
    mixed.insert(other.mixed.begin(), other.mixed.end());
    visible.insert(other.visible.begin(), other.visible.end());
    semaphore_values = semaphore_values || other.semaphore_values;
    block_choices = block_choices || other.block_choices;
    pardoned.insert(other.pardoned.begin(), other.pardoned.end());
    benign.insert(other.benign.begin(), other.benign.end());
    return *this;
  }

  bool too_much_visible() const { return visible.size() > abi::max_visible; }
  // Whether it has all that the other has. What was learned is never forgotten: whenever an
  // exploration starts over, it includes what was known before, and more.
  bool includes(const Knowledge& other) const {
    return threads >= other.threads && semaphore_values >= other.semaphore_values &&
           block_choices >= other.block_choices && std::ranges::includes(mixed, other.mixed) &&
           std::ranges::includes(visible, other.visible) &&
           std::ranges::includes(pardoned, other.pardoned) &&
           std::ranges::includes(benign, other.benign);
  }
};

}  // namespace heddle::native
