// Waiting for files. For none of them, with a time limit, it is a way to sleep.
#include <poll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>

#include <algorithm>
#include <cerrno>

#include "runtime/api/channels.hpp"
#include "runtime/api/locks.hpp"
#include "runtime/api/uses.hpp"
#include "runtime/kernel/stop.hpp"
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

bool has_channel(const pollfd* files, nfds_t count) {
  return std::any_of(files, files + count, [](const pollfd& p) { return is_channel(p.fd); });
}

// Sets of descriptors, as a list and back.
class Sets {
 public:
  Sets(int count, fd_set* reads, fd_set* writes, fd_set* others)
      : sets_{{reads, POLLIN | POLLHUP | POLLERR}, {writes, POLLOUT | POLLERR}, {others, POLLPRI}} {
    for (int fd = 0; fd < count; ++fd) {
      short events = 0;
      for (const Set& s : sets_)
        if (s.set != nullptr && FD_ISSET(fd, s.set)) events = static_cast<short>(events | s.events);
      if (events != 0) files_[count_++] = {fd, events, 0};
    }
  }
  bool has_channel() const { return ::has_channel(files_, count_); }
  int wait(const timespec* duration) {
    const bool any[] = {sets_[0].set != nullptr, sets_[1].set != nullptr, sets_[2].set != nullptr};
    fd_set asked[3];
    for (int k = 0; k < 3; ++k)
      if (any[k]) {
        asked[k] = *sets_[k].set;
        FD_ZERO(sets_[k].set);
      }
    if (channels().poll(files_, count_, duration) < 0) return -1;
    int ready = 0;
    for (nfds_t n = 0; n < count_; ++n) {
      if ((files_[n].revents & POLLNVAL) != 0) {
        errno = EBADF;
        return -1;
      }
      for (int k = 0; k < 3; ++k)
        if (any[k] && FD_ISSET(files_[n].fd, &asked[k]) &&
            (files_[n].revents & sets_[k].events) != 0) {
          FD_SET(files_[n].fd, sets_[k].set);
          ++ready;
        }
    }
    return ready;
  }

 private:
  struct Set {
    fd_set* set;
    short events;
  };
  Set sets_[3];
  pollfd files_[FD_SETSIZE];
  nfds_t count_ = 0;
};

}  // namespace

HEDDLE_EXPORT int poll(pollfd* files, nfds_t count, int milliseconds) {
  tell<"poll">(HEDDLE_CALLED_FROM, files, count, milliseconds);
  const timespec duration{milliseconds / 1000, milliseconds % 1000 * (nanoseconds / 1000)};
  if (has_channel(files, count))
    return channels().poll(files, count, milliseconds < 0 ? nullptr : &duration);
  if (count != 0 || milliseconds < 0) return ask_system(SYS_poll, files, count, milliseconds);
  return nanosleep(&duration, nullptr);
}
HEDDLE_EXPORT int ppoll(pollfd* files, nfds_t count, const timespec* duration,
                        const sigset_t* mask) {
  tell<"ppoll">(HEDDLE_CALLED_FROM, files, count, duration, static_cast<const void*>(mask));
  if (has_channel(files, count)) {
    if (mask != nullptr) unsupported("ppoll of channels with a set of signals");
    return channels().poll(files, count, duration);
  }
  if (count != 0 || duration == nullptr)
    return ask_system(SYS_ppoll, files, count, duration, mask, _NSIG / 8);
  return nanosleep(duration, nullptr);
}
HEDDLE_EXPORT int select(int count, fd_set* reads, fd_set* writes, fd_set* others,
                         timeval* duration) {
  tell<"select">(HEDDLE_CALLED_FROM, count, reads, writes, others, duration);
  if (Sets sets(count, reads, writes, others); sets.has_channel()) {
    const timespec time{duration == nullptr ? 0 : duration->tv_sec,
                        duration == nullptr ? 0 : duration->tv_usec * 1000};
    return sets.wait(duration == nullptr ? nullptr : &time);
  }
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
  if (Sets sets(count, reads, writes, others); sets.has_channel()) {
    if (mask != nullptr) unsupported("pselect of channels with a set of signals");
    return sets.wait(duration);
  }
  if (count != 0 || duration == nullptr) {
    const long set[] = {reinterpret_cast<long>(mask), _NSIG / 8};
    return ask_system(SYS_pselect6, count, reads, writes, others, duration, set);
  }
  return nanosleep(duration, nullptr);
}
