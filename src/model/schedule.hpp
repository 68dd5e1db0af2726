// A schedule: the unit of work. It is what a worker is asked to run, what a replay file holds and
// what a checkpoint lists.
//
// As text, version 1:   heddle-schedule 1: 0 0 1 2.1 0
// one move after the other, as the thread's number and, where it is not the first, the alternative.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/event.hpp"

namespace heddle {

using Schedule = std::vector<Move>;

std::string to_text(const Schedule& schedule);

// Throws Misuse, with the position and what was expected there, if the text is not a schedule.
Schedule parse_schedule(std::string_view text);

}  // namespace heddle
