// Time limits, as programs give them.
#pragma once

#include <time.h>

#include "runtime/kernel/time_limit.hpp"

namespace heddle::runtime {

TimeLimit limit_at(const timespec* deadline);
TimeLimit limit_after(const timespec* duration);

// What a time is in nanoseconds. (Before 1970 is long ago.)
std::uint64_t nanoseconds(const timespec& t);

// It has so many nanoseconds as a second can have; it is a time, or a duration, and not less than
// 0.
bool has_nanoseconds(const timespec* t);
bool is_duration(const timespec* t);
// Of the clocks, those that waits may have their limits by.
bool can_limit(clockid_t clock);

}  // namespace heddle::runtime
