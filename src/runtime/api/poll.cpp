// Waiting for files. For none of them, with a time limit, it is a way to sleep.
#include <poll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>

#include "runtime/api/locks.hpp"
#include "runtime/api/uses.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/sys/process.hpp"

using namespace heddle::runtime;

namespace {

constexpr long nanoseconds = 1'000'000'000;

template <typename... Arguments>
int ask_system(long call, Arguments... arguments) {
  count_effect();
  return static_cast<int>(
      result_of(system_call(call, heddle::runtime::detail::as_word(arguments)...)));
}

}  // namespace

HEDDLE_EXPORT int poll(pollfd* files, nfds_t count, int milliseconds) {
  tell<"poll">(HEDDLE_CALLED_FROM, files, count, milliseconds);
  if (count != 0 || milliseconds < 0) return ask_system(SYS_poll, files, count, milliseconds);
  const timespec duration{milliseconds / 1000, milliseconds % 1000 * (nanoseconds / 1000)};
  return nanosleep(&duration, nullptr);
}
HEDDLE_EXPORT int ppoll(pollfd* files, nfds_t count, const timespec* duration,
                        const sigset_t* mask) {
  tell<"ppoll">(HEDDLE_CALLED_FROM, files, count, duration, static_cast<const void*>(mask));
  if (count != 0 || duration == nullptr)
    return ask_system(SYS_ppoll, files, count, duration, mask, _NSIG / 8);
  return nanosleep(duration, nullptr);
}
HEDDLE_EXPORT int select(int count, fd_set* reads, fd_set* writes, fd_set* others,
                         timeval* duration) {
  tell<"select">(HEDDLE_CALLED_FROM, count, reads, writes, others, duration);
  if (count != 0 || duration == nullptr)
    return ask_system(SYS_select, count, reads, writes, others, duration);
  const timespec time{duration->tv_sec, duration->tv_usec * 1000};
  *duration = {};  // nothing is left of it
  return nanosleep(&time, nullptr);
}
HEDDLE_EXPORT int pselect(int count, fd_set* reads, fd_set* writes, fd_set* others,
                          const timespec* duration, const sigset_t* mask) {
  tell<"pselect">(HEDDLE_CALLED_FROM, count, reads, writes, others, duration,
                  static_cast<const void*>(mask));
  if (count != 0 || duration == nullptr) {
    const long set[] = {reinterpret_cast<long>(mask), _NSIG / 8};
    return ask_system(SYS_pselect6, count, reads, writes, others, duration, set);
  }
  return nanosleep(duration, nullptr);
}
