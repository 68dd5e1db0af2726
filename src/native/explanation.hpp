// A run that was asked to explain itself, as the worker tells it: addresses, not names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/runner.hpp"
#include "runtime/abi/wire.h"

namespace heddle::native {

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

  Schedule moves() const;  // all of them
};

// All of its moves, with the threads numbered in the order in which this run comes to create them:
// as a program does that has made no run before.
Schedule renumbered(const Explanation& run);

Ending ending_of(abi::Ending ending);

}  // namespace heddle::native
