#include "runtime/clock.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "runtime/cancellation.hpp"
#include "runtime/channel.hpp"
#include "runtime/clocks.hpp"
#include "runtime/ending.hpp"
#include "runtime/export.hpp"
#include "runtime/findings.hpp"
#include "runtime/polling.hpp"
#include "runtime/process.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/uses.hpp"

namespace heddle::runtime {
namespace {

constexpr std::uint64_t second = 1'000'000'000, microsecond = 1000;
// From here on, in 2262, there are limits, and no times.
constexpr std::uint64_t end_of_time = ~0ULL / 2, latest = ~0ULL;

std::uint64_t& now() { return time_of(current().id); }

// Before 1970 is long ago.
std::uint64_t nanoseconds(const timespec& t) {
  if (t.tv_sec < 0) return 0;
  const auto seconds = static_cast<std::uint64_t>(t.tv_sec);
  return seconds >= latest / second ? latest
                                    : seconds * second + static_cast<std::uint64_t>(t.tv_nsec);
}
std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return a + b < a ? latest : a + b; }

// The last time that there is, as durations are added to or clocks of C++ have it, means never.
bool is_never(std::uint64_t time) {
  return time == latest || time / second == end_of_time / second;
}

void move_on_to(std::uint64_t time) {
  if (now() < time && time < end_of_time) now() = time;
}

std::uint64_t look() {
  if (!is_running()) return clock_at_start;
  move_on_to(now() + tick(current()));
  pass_time(current());
  return now();
}

// (If the thread is only tried, no time passes.)
void pass(const timespec& duration) {
  if (!is_running() || is_trying()) return;
  cancellation_point();
  move_on_to(sum(now(), nanoseconds(duration)));
  prefer_others();
}

int sleep_for(const timespec* duration) {
  if (!is_duration(duration)) return EINVAL;
  pass(*duration);
  return 0;
}

int fail_with(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
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

// What clock_gettime has; the processor's time is the same as all other.
bool is_clock(clockid_t clock) { return clock <= CLOCK_TAI; }

}  // namespace

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
  return limit(is_running() ? sum(now(), nanoseconds(*duration)) : 0);
}

void reach(const TimeLimit& limit) {
  const std::uint64_t later = pass_limit(current());
  move_on_to(sum(limit.deadline, later));
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

HEDDLE_EXPORT std::uint64_t __heddle_cycles() { return look(); }

HEDDLE_EXPORT int clock_gettime(clockid_t clock, timespec* out) noexcept {
  if (!is_clock(clock)) return fail_with(EINVAL);
  tell<"clock_gettime">(HEDDLE_CALLED_FROM, clock, out);
  const std::uint64_t at = look();
  *out = {static_cast<time_t>(at / second), static_cast<long>(at % second)};
  return 0;
}
HEDDLE_EXPORT int gettimeofday(timeval* out, void* zone) noexcept {
  tell<"gettimeofday">(HEDDLE_CALLED_FROM, out, zone);
  const std::uint64_t at = look();
  *out = {static_cast<time_t>(at / second), static_cast<suseconds_t>(at % second / microsecond)};
  return 0;
}
HEDDLE_EXPORT time_t time(time_t* out) noexcept {
  tell<"time">(HEDDLE_CALLED_FROM, out);
  const auto at = static_cast<time_t>(look() / second);
  if (out != nullptr) *out = at;
  return at;
}

HEDDLE_EXPORT clock_t clock() noexcept {
  return static_cast<clock_t>((look() - clock_at_start) / microsecond);
}
HEDDLE_EXPORT int timespec_get(timespec* out, int base) noexcept {
  if (base != TIME_UTC) return 0;
  tell<"timespec_get">(HEDDLE_CALLED_FROM, out, base);
  const std::uint64_t at = look();
  *out = {static_cast<time_t>(at / second), static_cast<long>(at % second)};
  return base;
}

HEDDLE_EXPORT int sched_yield() noexcept {
  if (is_running()) prefer_others();
  return 0;
}
HEDDLE_EXPORT void thrd_yield() noexcept { sched_yield(); }
HEDDLE_EXPORT int thrd_sleep(const timespec* duration, timespec* rest) {
  tell<"thrd_sleep">(HEDDLE_CALLED_FROM, duration, rest);
  return sleep_for(duration) == 0 ? 0 : -2;
}
HEDDLE_EXPORT int nanosleep(const timespec* duration, timespec* rest) {
  tell<"nanosleep">(HEDDLE_CALLED_FROM, duration, rest);
  return fail_with(sleep_for(duration));
}
HEDDLE_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* time,
                                  timespec* rest) {
  tell<"clock_nanosleep">(HEDDLE_CALLED_FROM, clock, flags, time, rest);
  if (!is_clock(clock) || clock == CLOCK_THREAD_CPUTIME_ID || !is_duration(time)) return EINVAL;
  if ((flags & TIMER_ABSTIME) == 0) return sleep_for(time);
  if (!is_running() || is_trying()) return 0;
  cancellation_point();
  move_on_to(nanoseconds(*time));
  prefer_others();
  return 0;
}
HEDDLE_EXPORT int usleep(useconds_t n) {
  pass({static_cast<time_t>(n / 1'000'000), static_cast<long>(n % 1'000'000 * 1000)});
  return 0;
}
HEDDLE_EXPORT unsigned sleep(unsigned n) {
  pass({static_cast<time_t>(n), 0});
  return 0;
}
