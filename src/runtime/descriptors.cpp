#include "runtime/descriptors.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "runtime/cancellation.hpp"
#include "runtime/export.hpp"
#include "runtime/files.hpp"
#include "runtime/process.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/system.hpp"
#include "runtime/uses.hpp"

namespace heddle::runtime {
namespace {

constexpr long most_files = 1024;
constexpr unsigned most_remembered = 64, room_for_own = most_remembered + 8;

// A descriptor that is open when main begins.
struct Open {
  int number;
  int copy;  // ours
  int flags, descriptor_flags;
  long position;  // negative: it has none
  dev_t device;
  ino_t inode;
};
Open known[most_remembered];  // by their numbers
unsigned known_count;
long first_reserved = -1, end_reserved;
long directory = -1;  // a copy
struct stat directory_status;
mode_t mask;
bool may_change = false;
long asked_for = -1;  // the highest number for which a run has asked

// What a call on a descriptor returns, which may be closed, or be of no file with positions.
long told_of(const char* name, long number, long fd, long a = 0, long b = 0) {
  const long result = system_call(number, fd, a, b);
  if (result < 0 && result != -EBADF && result != -ESPIPE) refuse_call(name);
  return result;
}

bool is_open(long fd) { return told_of("fcntl", SYS_fcntl, fd, F_GETFD) >= 0; }

struct stat status_of(long fd) {
  struct stat status {};
  told_of("fstat", SYS_fstat, fd, reinterpret_cast<long>(&status));
  return status;
}

// Positions count in files, not in terminals and the like.
long position_of(long fd, const struct stat& status) {
  return S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)
             ? told_of("lseek", SYS_lseek, fd, 0, SEEK_CUR)
             : -1;
}

void find_room() {
  rlimit limit{most_files, most_files};  // if it is not told
  system_call(SYS_getrlimit, RLIMIT_NOFILE, reinterpret_cast<long>(&limit));
  const long most = limit.rlim_cur < most_files ? static_cast<long>(limit.rlim_cur) : most_files;
  first_reserved = most > 2 * long{room_for_own} ? most - room_for_own : most / 2;
  end_reserved = first_reserved;
}

int copy_of(long fd) {
  const int copy = reserve_descriptor(system_call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, first_reserved));
  if (copy < 0) refuse("too few files may be open at once ('ulimit -n' shows how many)");
  return copy;
}

Open look_at(long fd) {
  const struct stat status = status_of(fd);
  return {static_cast<int>(fd),
          -1,
          static_cast<int>(system_call(SYS_fcntl, fd, F_GETFL)),
          static_cast<int>(system_call(SYS_fcntl, fd, F_GETFD)),
          position_of(fd, status),
          status.st_dev,
          status.st_ino};
}

void put_back(const Open& was) {
  needed_call("dup3", SYS_dup3, was.copy, was.number,
              (was.descriptor_flags & FD_CLOEXEC) != 0 ? O_CLOEXEC : 0);
  system_call(SYS_fcntl, was.number, F_SETFL, was.flags);
  if (was.position >= 0) needed_call("lseek", SYS_lseek, was.number, was.position, SEEK_SET);
}

bool is_as_remembered(const Open& was) {
  const Open now = look_at(was.number);
  return now.flags == was.flags && now.descriptor_flags == was.descriptor_flags &&
         now.position == was.position && now.device == was.device && now.inode == was.inode;
}

// Calls visit for each stretch of numbers that nothing had when main began, ours left out.
template <typename Visit>
void for_free_numbers(Visit visit) {
  long from = 0;
  for (unsigned k = 0; k < known_count; ++k) {
    if (from < known[k].number) visit(from, known[k].number - 1L);
    from = known[k].number + 1L;
  }
  if (from < first_reserved) visit(from, first_reserved - 1);
  visit(std::max(from, end_reserved), static_cast<long>(~0U));
}

// Whether a run has opened any. The system gives the lowest number that is free: who wants others
// has to ask for them.
bool has_own() {
  constexpr long looked_at = 128;
  static pollfd files[looked_at];
  long count = 0;
  for_free_numbers([&](long first, long last) {
    for (long fd = first; fd <= last && count < looked_at; ++fd)
      files[count++] = {static_cast<int>(fd), 0, 0};
  });
  system_call(SYS_poll, reinterpret_cast<long>(files), count, 0);
  for (long k = 0; k < count; ++k)
    if ((files[k].revents & POLLNVAL) == 0) return true;
  return asked_for >= 0 && is_open(asked_for);
}

bool is_directory_as_remembered() {
  struct stat now {};
  system_call(SYS_stat, reinterpret_cast<long>("."), reinterpret_cast<long>(&now));
  return now.st_dev == directory_status.st_dev && now.st_ino == directory_status.st_ino;
}

bool is_mask_as_remembered() {
  const long now = system_call(SYS_umask, mask);
  system_call(SYS_umask, now);
  return now == static_cast<long>(mask);
}

long close_around_ours(unsigned first, unsigned last, long flags) {
  if (first > last) return -EINVAL;
  const auto begin = static_cast<unsigned>(first_reserved),
             end = static_cast<unsigned>(end_reserved);
  if (first_reserved < 0 || last < begin || first >= end)
    return system_call(SYS_close_range, first, last, flags);
  const long below = first < begin ? system_call(SYS_close_range, first, begin - 1, flags) : 0;
  const long above = last >= end ? system_call(SYS_close_range, end, last, flags) : 0;
  return below != 0 ? below : above;
}

}  // namespace

int reserve_descriptor(long descriptor) {
  if (descriptor < 0) return -1;
  if (first_reserved < 0) find_room();
  long moved = descriptor;
  if (descriptor < first_reserved) {
    moved = system_call(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, first_reserved);
    system_call(SYS_close, descriptor);
  }
  end_reserved = std::max(end_reserved, moved + 1);
  return static_cast<int>(moved);
}

bool is_reserved(long descriptor) {
  return first_reserved >= 0 && descriptor >= first_reserved && descriptor < end_reserved;
}

void remember_descriptors(bool may) {
  if (first_reserved < 0) find_room();
  may_change = may;
  for (long fd = 0; fd < first_reserved && may_change; ++fd) {
    if (!is_open(fd)) continue;
    if (known_count == most_remembered) refuse("more than 64 files are open before main begins");
    known[known_count] = look_at(fd);
    known[known_count++].copy = copy_of(fd);
  }
  if (!may_change) return;
  directory = reserve_descriptor(
      system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>("."), O_PATH | O_CLOEXEC));
  system_call(SYS_stat, reinterpret_cast<long>("."), reinterpret_cast<long>(&directory_status));
  mask = static_cast<mode_t>(system_call(SYS_umask, 0));
  system_call(SYS_umask, mask);
}

bool are_descriptors_as_remembered() {
  if (!may_change) return true;
  for (unsigned k = 0; k < known_count; ++k)
    if (!is_as_remembered(known[k])) return false;
  return !has_own() && is_mask_as_remembered() && is_directory_as_remembered();
}

void restore_descriptors() {
  if (!may_change) return;
  bool closed = true;
  for_free_numbers([&](long first, long last) {
    closed = system_call(SYS_close_range, first, last, 0) == 0 && closed;
  });
  if (!closed && has_own()) refuse_call("close_range");
  asked_for = -1;
  for (unsigned k = 0; k < known_count; ++k) put_back(known[k]);
  system_call(SYS_umask, mask);
  if (system_call(SYS_fchdir, directory) != 0 && !is_directory_as_remembered())
    refuse_call("fchdir");
}

bool call_on_descriptors(long number, const long* a, long& result) {
  switch (number) {
    case SYS_close:
      result = is_reserved(a[0]) ? -EBADF : system_call(number, a[0]);
      return true;
    case SYS_dup2:
    case SYS_dup3:
      asked_for = std::max(asked_for, a[1]);
      result =
          is_reserved(a[0]) || is_reserved(a[1]) ? -EBADF : system_call(number, a[0], a[1], a[2]);
      return true;
    case SYS_close_range:
      result = close_around_ours(static_cast<unsigned>(a[0]), static_cast<unsigned>(a[1]), a[2]);
      return true;
    default:
      return false;
  }
}

}  // namespace heddle::runtime

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
  cancellation_point();
  tell<"close">(HEDDLE_CALLED_FROM, fd);
  return call(SYS_close, fd);
}
HEDDLE_EXPORT int dup(int from) noexcept {
  tell<"dup">(HEDDLE_CALLED_FROM, from);
  return copy(from, static_cast<int>(result_of(system_call(SYS_dup, from))));
}
HEDDLE_EXPORT int dup2(int from, int to) noexcept {
  tell<"dup2">(HEDDLE_CALLED_FROM, from, to);
  return copy(from, call(SYS_dup2, from, to));
}
HEDDLE_EXPORT int dup3(int from, int to, int flags) noexcept {
  tell<"dup3">(HEDDLE_CALLED_FROM, from, to, flags);
  return copy(from, call(SYS_dup3, from, to, flags));
}
HEDDLE_EXPORT int close_range(unsigned first, unsigned last, int flags) noexcept {
  return call(SYS_close_range, first, last, flags);
}
HEDDLE_EXPORT void closefrom(int first) noexcept {
  call(SYS_close_range, first < 0 ? 0 : first, ~0U, 0);
}
