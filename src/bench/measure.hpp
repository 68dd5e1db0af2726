// Measuring an exploration: in a process of its own, so that each begins with the same memory, and
// so that it can be stopped.
#pragma once

#include <functional>

#include "core/result.hpp"

namespace heddle::bench {

struct Measurement {
  Counts counts;  // so far, if it was stopped
  bool complete = false;
  bool finding = false;
  double seconds = 0;       // of the exploration
  long peak_memory_kb = 0;  // of the largest process
};

// What the function makes of its argument, which it may change as it goes on: what it has at any
// time is what is told if it is stopped. It is, after so many seconds, or when memory runs out.
// What else it throws is thrown here, as a Misuse or a Bug.
Measurement measure(double seconds, const std::function<void(Measurement&)>& explore);

}  // namespace heddle::bench
