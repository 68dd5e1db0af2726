// A state of a program, as merging keeps it: see state_graph.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/small_vector.hpp"
#include "core/reduction/configurations.hpp"
#include "core/reduction/plain.hpp"
#include "model/runner.hpp"

namespace heddle {

struct StateNode;

// A move planned at a state; if it was executed, an edge.
struct Branch {
  enum class State : std::uint8_t {
    planned,
    claimed,
    executed,
    forgotten,  // executed, and where it led is forgotten
  };

  Event event;  // as it was executed, or else as it is known to be, unless its footprint varies
  StepNumber step = 0;  // once executed
  State state = State::planned;
  StateNode* to = nullptr;  // if executed
};

struct StateNode {
  struct Incoming {
    StateNode* from;
    StepNumber step;
    StretchId stretch;
  };

  Digest digest;
  std::uint32_t number = 0;  // its place among all nodes
  bool listed = false;       // it is found by its digest
  std::uint32_t busy = 0;    // runs claimed here, and not finished; and those to come of resume_at
  // Nothing is to be run here, or in flight, and the same holds of all that follow. Known only
  // while nodes are being forgotten.
  bool closed = false;
  bool forgotten = false;
  bool plain_grew = false;  // and was not carried yet
  std::uint32_t depth = 0;
  std::uint32_t level = 0;
  std::uint64_t last_merge = 0;  // or when it was added
  // A way to come here: null for the beginning of the program.
  StateNode* parent = nullptr;
  Event by;
  SmallVector<Branch, 1> branches;  // in the order of `planned`
  SmallVector<AsleepMove, 2> asleep;
  SmallVector<Incoming, 1> incoming;
  SmallVector<ConfigurationNumber, 6> summary;  // sorted
  Plain::Set plain = Plain::none;

  Branch* find(Move move) {
    const auto it = std::ranges::find(branches, move, [](const Branch& b) { return b.event.move; });
    return it == branches.end() ? nullptr : &*it;
  }
  bool sleeps(Move move) const {
    return std::ranges::find(asleep, move, &AsleepMove::move) != asleep.end();
  }
};

// Keeps levels rising along edges, now that there is to be one from u to s. False, and nothing is
// changed, if it would close a cycle. Where all ways to a state have the same number of events, it
// takes a comparison.
bool raise_level(StateNode* u, StateNode* s);

}  // namespace heddle
