// Functions that close and copy descriptors.
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/api/cancellation.hpp"
#include "runtime/api/channels.hpp"
#include "runtime/api/descriptor_state.hpp"
#include "runtime/api/files.hpp"
#include "runtime/api/uses.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/sys/process.hpp"

using namespace heddle::runtime;

namespace {

int call(long number, long a, long b = 0, long c = 0) {
  const long arguments[] = {a, b, c};
  long result = 0;
  if (is_running()) current().effects.count();
  call_on_descriptors(number, arguments, result);
  return static_cast<int>(result_of(result));
}

int copy(int from, int to) {
  if (from != to) note_copy(from, to);
  return to;
}

}  // namespace

HEDDLE_EXPORT int close(int fd) {
  if (is_channel(fd)) return channels().close(fd);
  cancellation_point();
  tell<"close">(HEDDLE_CALLED_FROM, fd);
  return call(SYS_close, fd);
}
HEDDLE_EXPORT int dup(int from) noexcept {
  if (is_channel(from)) return channels().copy(from, 0, false);
  tell<"dup">(HEDDLE_CALLED_FROM, from);
  return copy(from, static_cast<int>(result_of(system_call(SYS_dup, from))));
}
HEDDLE_EXPORT int dup2(int from, int to) noexcept {
  if (is_channel(from) || is_channel(to)) return channels().copy(from, to, true);
  tell<"dup2">(HEDDLE_CALLED_FROM, from, to);
  return copy(from, call(SYS_dup2, from, to));
}
HEDDLE_EXPORT int dup3(int from, int to, int flags) noexcept {
  if (is_channel(from) || is_channel(to)) {
    if (from != to) return channels().copy(from, to, true);
    errno = EINVAL;
    return -1;
  }
  tell<"dup3">(HEDDLE_CALLED_FROM, from, to, flags);
  return copy(from, call(SYS_dup3, from, to, flags));
}
HEDDLE_EXPORT int close_range(unsigned first, unsigned last, int flags) noexcept {
  return call(SYS_close_range, first, last, flags);
}
HEDDLE_EXPORT void closefrom(int first) noexcept {
  call(SYS_close_range, first < 0 ? 0 : first, ~0U, 0);
}
