// Time, as programs see it. Each thread has a clock of its own, which depends on what the thread
// itself did: it starts as its creator's, moves on a little whenever it is looked at, and to the
// end of a time limit where a wait runs into that; where threads synchronise, it moves on to what
// the other's was (see clocks.hpp). So the same schedule has the same times.
#pragma once

#include <cerrno>
#include <cstdint>
#include <ctime>

namespace heddle::runtime {

// Of a wait. As a last resort, it runs into its limit when nobody at all can go on. Where time-outs
// are to be explored, it is a choice made beforehand: it has expired, or is assumed never to.
struct TimeLimit {
  bool timed = false;
  bool limited = false;  // assumed never to
  bool expired = false;
  int error = ETIMEDOUT;  // if it has: or there is no such time
  std::uint64_t deadline = 0;
};
TimeLimit limit_at(const timespec* deadline);
TimeLimit limit_after(const timespec* duration);

// It has so many nanoseconds as a second can have; it is a time, or a duration, and not less than
// 0.
bool has_nanoseconds(const timespec* t);
bool is_duration(const timespec* t);
// Of the clocks, those that waits may have their limits by.
bool can_limit(clockid_t clock);

// The current thread ran into this limit.
void reach(const TimeLimit& limit);

}  // namespace heddle::runtime
