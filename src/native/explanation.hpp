// A run that was asked to explain itself, as the worker tells it: addresses, not names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/runner.hpp"
#include "native/worker.hpp"
#include "runtime/wire.h"

namespace heddle::native {

// What a run has to say beside its events.
struct Outcome {
  abi::Finding finding = abi::Finding::none;
  std::uint32_t thread = 0;
  std::string text;
  std::uint64_t site = 0;                   // an address in the worker
  std::optional<std::uint64_t> value = {};  // as the program told it

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

struct Explanation {
  struct Stack {
    std::uint32_t thread;
    std::vector<std::uint64_t> frames;  // the innermost first
  };
  struct Step {
    Move move;
    std::uint64_t site = 0;
    std::uint16_t alternatives = 1;
    bool varies = false;  // in what it accesses: without any access, an atomic block
    std::vector<abi::WireAccess> accesses;
    std::vector<unsigned> joined;        // threads, since the one before
    abi::WireValue value{};              // of memory, if it was accessed
    std::vector<abi::WireFrame> frames;  // where its thread was, if that is known
  };
  // An access that is no event.
  struct Spot {
    abi::WireSpot access;
    std::vector<abi::WireFrame> frames;
  };
  Ending ending = Ending::complete;
  Outcome outcome;
  // Of the finding; of the earlier access, if it is a race; of the other threads.
  std::vector<Stack> stacks;
  std::vector<Step> steps;
  std::vector<Step> waiting;   // not taken: what threads wait for at the end
  std::vector<ThreadId> come;  // threads, in the order in which others came to create them
  std::vector<Spot> spots;
  std::vector<abi::WireBlock> blocks;
  std::vector<abi::WireRace> races;
  std::size_t finding_at = 0;  // how many steps there were
  std::size_t misfit_at = 0;
  std::optional<Move> dying;  // who was on the way to a step when the process died

  Schedule moves() const;  // all of them
};

// `worker` has the steps that the reply names, and made no run since. These throw Overwritten.
Explanation read_explanation(const abi::ReplyHeader& reply, Worker& worker);
// Of a run that was not finished: its steps are all there is.
Explanation read_unfinished(const abi::ReplyHeader& reply, Worker& worker);

// All of its moves, with the threads numbered in the order in which this run comes to create them:
// as a program does that has made no run before.
Schedule renumbered(const Explanation& run);

Ending ending_of(abi::Ending ending);

}  // namespace heddle::native
