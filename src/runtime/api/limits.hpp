// Time limits, as programs give them.
#pragma once

#include <time.h>

#include "runtime/kernel/time_limit.hpp"

namespace heddle::runtime {

TimeLimit limit_at(const timespec* deadline);
TimeLimit limit_after(const timespec* duration);

// A time in nanoseconds. (Times before 1970 count as 0.)
std::uint64_t nanoseconds(const timespec& t);

// Whether the number of nanoseconds is below that of a second; is_duration: and the time is not
// negative.
bool has_nanoseconds(const timespec* t);
bool is_duration(const timespec* t);
// The clocks that limits of waits may refer to.
bool can_limit(clockid_t clock);

}  // namespace heddle::runtime
