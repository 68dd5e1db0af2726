#include "runtime/api/limits.hpp"

#include "runtime/kernel/clocks.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/findings.hpp"
#include "runtime/kernel/polling.hpp"
#include "runtime/kernel/scheduler.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

constexpr std::uint64_t second = 1'000'000'000;

std::uint64_t now() { return time_of(current().id); }

// The last possible time, as sums of durations saturate or clocks of C++ have it, means never.
bool is_never(std::uint64_t time) {
  return time == latest_limit || time / second == end_of_time / second;
}

TimeLimit limit(std::uint64_t deadline) {
  if (!is_running() || is_never(deadline)) return {};
  note(abi::note_timed);
  if (deadline <= now()) return {.expired = true, .deadline = deadline};
  if (settings().timeouts == abi::Timeouts::last_resort)
    return {.timed = true, .deadline = deadline};
  // To expire again and again leads to nothing new.
  if (is_hopeless(current(), done_by_all()) || choose_without_effect(2) == 0)
    return {.limited = true};
  const TimeLimit reached{.expired = true, .deadline = deadline};
  reach(reached);
  return reached;
}

}  // namespace

// Times before 1970 count as 0.
std::uint64_t nanoseconds(const timespec& t) {
  if (t.tv_sec < 0) return 0;
  const auto seconds = static_cast<std::uint64_t>(t.tv_sec);
  return seconds >= latest_limit / second
             ? latest_limit
             : seconds * second + static_cast<std::uint64_t>(t.tv_nsec);
}

bool has_nanoseconds(const timespec* t) {
  return t->tv_nsec >= 0 && t->tv_nsec < static_cast<long>(second);
}
bool is_duration(const timespec* t) { return has_nanoseconds(t) && t->tv_sec >= 0; }
bool can_limit(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC; }

TimeLimit limit_at(const timespec* deadline) {
  if (!has_nanoseconds(deadline)) return {.expired = true, .error = EINVAL};
  return limit(nanoseconds(*deadline));
}
TimeLimit limit_after(const timespec* duration) {
  return limit(is_running() ? sum_of_times(now(), nanoseconds(*duration)) : 0);
}

}  // namespace heddle::runtime
