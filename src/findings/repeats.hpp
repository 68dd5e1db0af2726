// What a run that was cut off for its length does again and again.
#pragma once

#include <optional>

#include "findings/trace.hpp"

namespace heddle::findings {

// The loop of the thread that ran last. Rows are those of the trace.
struct Repetition {
  const Row* begin = nullptr;   // the first line of the round
  const Row* effect = nullptr;  // what keeps a round from being a wait; none: it only looks
};

// None, if the thread does not repeat itself.
std::optional<Repetition> what_repeats(const Trace& trace);

}  // namespace heddle::findings
