// What a run that was cut off for its length repeats.
#pragma once

#include <optional>

#include "findings/trace.hpp"

namespace heddle::findings {

// The loop of the thread that ran last. Its rows point into the trace, which must outlive it.
struct Repetition {
  const Row* begin = nullptr;   // the first line of the round
  const Row* effect = nullptr;  // what keeps a round from being a wait; null: it only reads
};

// None if the thread does not repeat itself.
std::optional<Repetition> what_repeats(const Trace& trace);

}  // namespace heddle::findings
