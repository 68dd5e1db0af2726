// A run with its details, as the worker reports it: addresses, not names.
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
    bool varies = false;  // in what it accesses; if it has no access, it is an atomic block
    std::vector<abi::WireAccess> accesses;
    std::vector<unsigned> joined;        // threads joined since the previous step
    std::vector<abi::WireAccess> sent;   // what a message is that it sends: see abi/messages.h
    abi::WireValue value{};              // of the memory, if it accesses memory
    std::vector<abi::WireFrame> frames;  // where its thread was, if that is known
  };
  // An access that is not an event.
  struct Spot {
    abi::WireSpot access;
    std::vector<abi::WireFrame> frames;
  };
  Ending ending = Ending::complete;
  Outcome outcome;
  // First that of the finding; then that of the previous access, if it is a data race; then those
  // of the other threads.
  std::vector<Stack> stacks;
  std::vector<Step> steps;
  std::vector<Step> waiting;   // pending: the steps in which threads are blocked at the end
  std::vector<ThreadId> come;  // threads, in the order in which they were created
  std::vector<Spot> spots;
  std::vector<abi::WireBlock> blocks;
  std::vector<abi::WireRace> races;
  std::size_t finding_at = 0;  // the number of steps before it
  std::size_t diverged_at = 0;

  Schedule moves() const;  // all of them
};

// All moves of the run, with the threads numbered in the order in which it creates them, as in the
// first run of a new process.
Schedule renumbered(const Explanation& run);

Ending ending_of(abi::Ending ending);

}  // namespace heddle::native
