#include "runtime/clock.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdint>

#include "runtime/channel.hpp"
#include "runtime/export.hpp"
#include "runtime/findings.hpp"
#include "runtime/process.hpp"
#include "runtime/scheduler.hpp"

namespace heddle::runtime {
namespace {

constexpr std::uint64_t second = 1'000'000'000, microsecond = 1000;

std::uint64_t nanoseconds(const timespec& t) {
  return static_cast<std::uint64_t>(t.tv_sec) * second + static_cast<std::uint64_t>(t.tv_nsec);
}

std::uint64_t look() {
  if (!is_running()) return clock_at_start;
  current().effects.count();
  return current().clock += microsecond;
}

int pass(const timespec& duration) {
  if (!is_running()) return 0;
  current().clock += nanoseconds(duration);
  prefer_others();
  return 0;
}

TimeLimit limit(std::uint64_t deadline) {
  if (!is_running()) return {};
  note(abi::note_timed);
  Fiber& self = current();
  if (deadline <= self.clock) return {.expired = true, .deadline = deadline};
  if (settings().timeouts == abi::Timeouts::last_resort)
    return {.timed = true, .deadline = deadline};
  if (choose(2) == 0) {
    self.limited = true;
    return {};
  }
  const TimeLimit reached{.expired = true, .deadline = deadline};
  reach(reached);
  return reached;
}

}  // namespace

TimeLimit limit_at(const timespec* deadline) { return limit(nanoseconds(*deadline)); }
TimeLimit limit_after(const timespec* duration) {
  return limit(is_running() ? current().clock + nanoseconds(*duration) : 0);
}

void reach(const TimeLimit& limit) {
  current().effects.count();
  if (current().clock < limit.deadline) current().clock = limit.deadline;
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

HEDDLE_EXPORT int clock_gettime(clockid_t, timespec* out) noexcept {
  const std::uint64_t now = look();
  *out = {static_cast<time_t>(now / second), static_cast<long>(now % second)};
  return 0;
}
HEDDLE_EXPORT int gettimeofday(timeval* out, void*) noexcept {
  const std::uint64_t now = look();
  *out = {static_cast<time_t>(now / second), static_cast<suseconds_t>(now % second / microsecond)};
  return 0;
}
HEDDLE_EXPORT time_t time(time_t* out) noexcept {
  const auto now = static_cast<time_t>(look() / second);
  if (out != nullptr) *out = now;
  return now;
}

HEDDLE_EXPORT clock_t clock() noexcept {
  return static_cast<clock_t>((look() - clock_at_start) / microsecond);
}
HEDDLE_EXPORT int timespec_get(timespec* out, int base) noexcept {
  clock_gettime(CLOCK_REALTIME, out);
  return base;
}

HEDDLE_EXPORT int sched_yield() noexcept {
  if (is_running()) prefer_others();
  return 0;
}
HEDDLE_EXPORT void thrd_yield() noexcept { sched_yield(); }
HEDDLE_EXPORT int thrd_sleep(const timespec* duration, timespec*) { return pass(*duration); }
HEDDLE_EXPORT int nanosleep(const timespec* duration, timespec*) { return pass(*duration); }
HEDDLE_EXPORT int clock_nanosleep(clockid_t, int flags, const timespec* time, timespec*) {
  if ((flags & TIMER_ABSTIME) == 0) return pass(*time);
  if (is_running() && current().clock < nanoseconds(*time)) current().clock = nanoseconds(*time);
  return 0;
}
HEDDLE_EXPORT int usleep(useconds_t n) {
  return pass({static_cast<time_t>(n / 1'000'000), static_cast<long>(n % 1'000'000 * 1000)});
}
HEDDLE_EXPORT unsigned sleep(unsigned n) {
  pass({static_cast<time_t>(n), 0});
  return 0;
}
