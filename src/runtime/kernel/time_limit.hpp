// Time limits of waits, by the clocks that threads see (clocks.hpp).
#pragma once

#include <cerrno>
#include <cstdint>

namespace heddle::runtime {

// The limit of a wait. As a last resort, the wait times out when no thread at all can continue.
// Where time-outs are to be explored, it is a choice made beforehand: the limit has expired, or is
// assumed never to.
struct TimeLimit {
  bool timed = false;
  bool limited = false;  // assumed never to expire
  bool expired = false;
  int error = ETIMEDOUT;  // if it has expired: or the given time is invalid
  std::uint64_t deadline = 0;
};

// From here on, in 2262, there are limits, and no times.
inline constexpr std::uint64_t end_of_time = ~0ULL / 2, latest_limit = ~0ULL;

inline std::uint64_t sum_of_times(std::uint64_t a, std::uint64_t b) {
  return a + b < a ? latest_limit : a + b;
}

// Sets the clock of the current thread to this time, unless it is later already.
void advance_clock_to(std::uint64_t time);

// The current thread timed out at this limit.
void reach(TimeLimit limit);

}  // namespace heddle::runtime
