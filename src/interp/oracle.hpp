// What a program can do, by brute force: what every algorithm is compared with.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_set>
#include <vector>

#include "core/machine.hpp"
#include "core/order.hpp"
#include "interp/machine.hpp"

namespace heddle::interp {

// Every final state, and everything that threads can observe, by visiting each reachable state
// once.
struct Outcomes {
  std::unordered_set<std::uint64_t> final_states;
  std::unordered_set<std::uint64_t> observed;
  std::uint64_t states = 0;
};

// Nothing, if there are more than `most` states.
std::optional<Outcomes> all_outcomes(Machine& machine, std::uint64_t most);

// Every pair of plain accesses that races in some run, by visiting each reachable state once with
// each knowledge that threads and objects can have there. Sorted. Nothing, if there are more than
// `most` of these.
std::optional<std::vector<RacingPair>> all_races(ModelMachine& machine, std::uint64_t most);

// Every Mazurkiewicz trace, plain and modulo observers, by running each interleaving.
struct Traces {
  std::unordered_set<std::uint64_t> plain;
  std::unordered_set<std::uint64_t> observed;
  std::unordered_set<std::uint64_t> assumed;  // of the plain ones, those with a failed assumption
  std::uint64_t interleavings = 0;
};

// Nothing, if there are more than `most` interleavings.
std::optional<Traces> all_traces(Machine& machine, std::uint64_t most);

}  // namespace heddle::interp
