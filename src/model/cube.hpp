// Cubes: parts of the schedules of a program that share nothing, and can be explored alone.
//
// A wait names two steps, each a thread and its number in it: the second is not enabled before the
// first has happened. It is an edge that enables, as a join is: a part of happens-before, and never
// a race. A cube is a list of waits, and a program like another. To split a cube, take two steps a
// and b of different threads of some run of it:
//
//   first half     b waits for a. It has the traces in which b does not happen before a.
//   second half    a waits for b, ordered: a run counts only if b happened and, if a happened too,
//   b
//                  happens before a by the order of the cube that was split: the program's own
//                  edges and the waits before this one, without this one.
//
// A run that ends while a step is held back by a wait only (Ending::held) never counts. What it did
// is real: a finding in it is a finding.
//
// Each trace of the program counts in exactly one half: with the waits of the split cube as edges
// it has no cycle. If b happens before a in it, only the second half has it. If not, the edge from
// a to b closes no cycle, so the first half has it, and the second does not count it. Nothing is
// assumed of the two steps, nor of the algorithm. Where they are dependent whenever both happen, no
// run is in vain but those that are held back.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/event.hpp"

namespace heddle {

struct StepName {
  ThreadId thread = 0;
  std::uint32_t index = 0;  // how many steps the thread takes before

  friend auto operator<=>(const StepName&, const StepName&) = default;
};

struct Wait {
  StepName first, second;
  bool ordered = false;

  friend bool operator==(const Wait&, const Wait&) = default;
};

struct Cube {
  std::vector<Wait> waits;

  bool empty() const { return waits.empty(); }
  friend bool operator==(const Cube&, const Cube&) = default;

  // REQUIRES: the steps are of different threads.
  std::pair<Cube, Cube> split(StepName a, StepName b) const {
    Cube first = *this, second = *this;
    first.waits.push_back({a, b, false});
    second.waits.push_back({b, a, true});
    return {std::move(first), std::move(second)};
  }

  // Whether this step has to wait, if `taken(thread)` is the number of steps a thread has taken.
  template <typename Taken>
  bool holds(StepName step, const Taken& taken) const {
    for (const Wait& w : waits)
      if (w.second == step && taken(w.first.thread) <= w.first.index) return true;
    return false;
  }
};

inline const Cube whole_program;

// "0.1<1.0 2.0<0.3!": the second step of thread 0 comes before the first of thread 1, and so on; an
// exclamation mark where a run counts only if they are ordered.
std::string to_text(const Cube& cube);
// Throws Misuse if the text is not that of a cube of a program with this number of threads.
Cube parse_cube(std::string_view text, std::size_t threads);

}  // namespace heddle
