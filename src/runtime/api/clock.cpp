// Time, as programs see it. Each thread has a clock of its own, which depends on what the thread
// itself did: it starts as its creator's, advances a little whenever it is read, and to the end of
// a time limit where a wait times out; where threads synchronise, it advances to the time of the
// other thread (see clocks.hpp). So the same schedule has the same times.
#include <sched.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "runtime/api/cancellation.hpp"
#include "runtime/api/limits.hpp"
#include "runtime/api/uses.hpp"
#include "runtime/kernel/clocks.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/policy.hpp"
#include "runtime/kernel/polling.hpp"
#include "runtime/kernel/time_limit.hpp"
#include "runtime/sys/export.hpp"

namespace heddle::runtime {
namespace {

constexpr std::uint64_t second = 1'000'000'000, microsecond = 1000;

std::uint64_t& now() { return time_of(current().id); }

std::uint64_t look() {
  if (!is_running()) return clock_at_start;
  advance_clock_to(now() + tick(current()));
  pass_time(current());
  return now();
}

// (If the thread is only tried, no time passes.)
void pass(const timespec& duration) {
  if (!is_running() || is_trying()) return;
  cancellation_point();
  advance_clock_to(sum_of_times(now(), nanoseconds(duration)));
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

// The clocks that clock_gettime has; the processor's time is the same as all others.
bool is_clock(clockid_t clock) { return clock <= CLOCK_TAI; }

}  // namespace
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
  advance_clock_to(nanoseconds(*time));
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
