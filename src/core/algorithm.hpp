// The algorithms by name: one table from which options, help and tests are made.
#pragma once

#include <span>
#include <string_view>

#include "core/machine.hpp"
#include "core/order.hpp"
#include "core/result.hpp"
#include "model/runner.hpp"

namespace heddle {

// What no behaviour may be lost of.
enum class Covers : std::uint8_t {
  final_states,  // every final state of the program, memory included
  observations,  // everything that threads can have seen; memory that no thread reads is left out
};

// What can be said of an exploration of all cubes of a program (model/cube.hpp) by what each has.
enum class AddsUp : std::uint8_t {
  nothing,   // they are not explored
  findings,  // what is found, whether it is complete and the set of outcomes
  counts,    // that, and how many runs there are
};

// A program as the algorithms need it: the any-order ones run schedules, the others take steps.
struct Target {
  Runner& runner;
  Machine& machine;
};

struct Algorithm {
  std::string_view name;
  std::string_view summary;
  std::string_view source;  // the paper
  Covers covers;            // or, if it is not sound, would
  bool sound;               // false: it exists to reproduce published counts, and loses behaviours
  bool any_order;           // can run its branches in any order
  bool by_state;            // compares states
  AddsUp adds_up;           // over cubes
  bool time_outs;           // can explore programs that have them; the others refuse
  bool plain;               // the same for plain accesses: loses no data race
  Result (*explore)(Target target, const ExploreOptions& options);

  bool is_divisible() const { return adds_up != AddsUp::nothing; }
};

// Whether compiled programs can be explored with it: a Runner has digests of their states, a
// Machine does not.
inline bool is_for_compiled(const Algorithm& algorithm) {
  return !algorithm.by_state || algorithm.any_order;
}

// Whether it orders writes and sends only if an event sees it.
inline Observers observers_of(const Algorithm& algorithm) {
  return algorithm.covers == Covers::observations ? Observers::yes : Observers::no;
}

std::span<const Algorithm> algorithms();
// Null if there is none of this name.
const Algorithm* find_algorithm(std::string_view name);

}  // namespace heddle
