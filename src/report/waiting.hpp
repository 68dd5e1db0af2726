// Which threads wait for which at the end of a run.
#pragma once

#include <string>
#include <vector>

#include "findings/trace.hpp"

namespace heddle::report {

struct Wait {
  std::size_t row = 0;  // of the thread that waits
  unsigned thread = 0;
  unsigned for_thread = 0;
  std::string object;     // that the other holds; empty: it waits for its end
  std::size_t since = 0;  // the number of the step with which the other acquired it; 0: none
  bool circular = false;  // it is on a circle
};

// Waits for a signal or the like are not for a thread, and are not there.
std::vector<Wait> waits_of(const findings::Trace& trace);

// The threads on circles, in the order of the waits. Empty if there are none.
std::vector<unsigned> circle_of(const std::vector<Wait>& waits);

}  // namespace heddle::report
