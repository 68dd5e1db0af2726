// Drawings on an HTML page that need no script.
#pragma once

#include <string>
#include <vector>

#include "native/progress.hpp"
#include "report/waiting.hpp"

namespace heddle::report {

// Threads in a circle, with an arrow for each wait. Empty if there are none, or too many. `id` is
// of the run, and begins the ids in it.
std::string drawing_of(const std::vector<Wait>& waits, const std::string& id);

// Runs per second over the time. Empty if there are too few samples.
std::string drawing_of(const std::vector<native::Progress>& samples);

}  // namespace heddle::report
