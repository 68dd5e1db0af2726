// Schedules with few context switches: the same finding, easier to follow.
//
// A switch is a place where another thread runs than before, whether the previous thread could have
// continued or not.
#pragma once

#include <functional>
#include <optional>

#include "model/schedule.hpp"

namespace heddle::native {

std::size_t switches(const Schedule& schedule);

// Runs a schedule and continues to the end. Returns all moves of the run if the finding is the
// same.
using Try = std::function<std::optional<Schedule>(const Schedule&)>;

// Bounds on the work for one finding, so that explaining it does not take much longer than finding
// it: runs of up to a thousand moves are limited by their number, longer ones by their moves.
struct MinimiseLimits {
  std::size_t runs = 2000;
  std::size_t moves = 2'000'000;  // of all runs together
};

// A schedule whose run is the same, with as few switches as a greedy search finds: always the same
// one. `schedule` is all of a run's moves.
Schedule minimised(Schedule schedule, const Try& attempt, const MinimiseLimits& limits = {});

}  // namespace heddle::native
