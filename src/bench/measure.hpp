// Measuring an exploration: in a process of its own, so that each begins with the same memory, and
// so that it can be stopped.
#pragma once

#include <functional>

#include "core/result.hpp"
#include "parallel/control.hpp"

namespace heddle::bench {

struct Measurement {
  Counts counts;
  bool complete = false;
  bool finding = false;
  double seconds = 0;  // of the exploration
  // Of the largest process; if there are several engines, of all of them together.
  long peak_memory_kb = 0;
  parallel::Overhead overhead = {};
};

// What the function returns, with the memory it took. After this number of seconds, or when memory
// runs out, it is stopped: then nothing is known but the time. What else it throws is thrown here,
// as a Misuse or a Bug.
Measurement measure(double seconds, const std::function<Measurement()>& explore);

}  // namespace heddle::bench
