// Moves and events: what a schedule consists of, and what running it yields.
#pragma once

#include <compare>
#include <cstdint>

#include "model/footprint.hpp"

namespace heddle {

using ThreadId = std::uint16_t;

// What a step is, and where in the program: the same from run to run. Its meaning is the Runner's.
using StepId = std::uint32_t;

// A branch: which thread is next and, where its step is a data choice, which alternative. For a
// thread that waits, alternative 1 is to time out.
struct Move {
  ThreadId thread = 0;
  std::uint16_t alternative = 0;

  friend auto operator<=>(const Move&, const Move&) = default;
};

// One step that was executed.
struct Event {
  Move move;
  FootprintId footprint = Footprints::empty;
  StepId step = 0;
  // More than one: a data choice. For a step that varies in its choices, the alternatives become
  // known one after the other: this is one more than the number of the next, or 1 if there is none.
  std::uint16_t alternatives = 1;
  // The name of a value, the same for the same, or 0 if it is not known: what a compare-and-swap
  // expects; for another step that writes one object and does no more, what it found there.
  std::uint16_t value = 0;

  friend bool operator==(const Event&, const Event&) = default;
};

}  // namespace heddle
