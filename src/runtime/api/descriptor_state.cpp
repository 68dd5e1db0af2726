#include "runtime/api/descriptor_state.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "runtime/sys/own_descriptors.hpp"
#include "runtime/sys/process.hpp"

namespace heddle::runtime {
namespace {

constexpr unsigned most_remembered = 64;

// A descriptor that is open when main begins.
struct Open {
  int number;
  int copy;  // the runtime's
  int flags, descriptor_flags;
  long position;  // negative: it has none
  dev_t device;
  ino_t inode;
};

struct Descriptors {
  // As they were when main began.
  Open known[most_remembered];  // by their numbers
  unsigned known_count;
  long directory;  // a copy
  struct stat directory_status;
  mode_t mask;
  bool may_change;
  // Of a run.
  long asked_for = -1;  // the highest number that it has asked for
};
constinit Descriptors descriptors{};

// What a call on a descriptor returns, which may be closed, or be of a file without positions.
long told_of(const char* name, long number, long fd, long a = 0, long b = 0) {
  const long result = system_call(number, fd, a, b);
  if (result < 0 && result != -EBADF && result != -ESPIPE) refuse_call(name);
  return result;
}

bool is_open(long fd) { return told_of("fcntl", SYS_fcntl, fd, F_GETFD) >= 0; }

struct stat status_of(long fd) {
  struct stat status{};
  told_of("fstat", SYS_fstat, fd, reinterpret_cast<long>(&status));
  return status;
}

// Positions matter in files, not in terminals and the like.
long position_of(long fd, const struct stat& status) {
  return S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)
             ? told_of("lseek", SYS_lseek, fd, 0, SEEK_CUR)
             : -1;
}

int copy_of(long fd) {
  const int copy =
      reserve_descriptor(system_call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, reserved_descriptors().first));
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

// Calls visit for each stretch of numbers that were not in use when main began, except the
// runtime's own.
template <typename Visit>
void for_free_numbers(Visit visit) {
  long from = 0;
  for (unsigned k = 0; k < descriptors.known_count; ++k) {
    if (from < descriptors.known[k].number) visit(from, descriptors.known[k].number - 1L);
    from = descriptors.known[k].number + 1L;
  }
  const Reserved ours = reserved_descriptors();
  if (from < ours.first) visit(from, ours.first - 1);
  visit(std::max(from, ours.end), static_cast<long>(~0U));
}

// Whether a run has opened any. The system assigns the lowest free number: a caller that wants
// another has to ask for it.
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
  return descriptors.asked_for >= 0 && is_open(descriptors.asked_for);
}

bool is_directory_as_remembered() {
  struct stat now{};
  system_call(SYS_stat, reinterpret_cast<long>("."), reinterpret_cast<long>(&now));
  return now.st_dev == descriptors.directory_status.st_dev &&
         now.st_ino == descriptors.directory_status.st_ino;
}

bool is_mask_as_remembered() {
  const long now = system_call(SYS_umask, descriptors.mask);
  system_call(SYS_umask, now);
  return now == static_cast<long>(descriptors.mask);
}

long close_around_ours(unsigned first, unsigned last, long flags) {
  if (first > last) return -EINVAL;
  const Reserved ours = reserved_descriptors();
  const auto begin = static_cast<unsigned>(ours.first), end = static_cast<unsigned>(ours.end);
  if (last < begin || first >= end) return system_call(SYS_close_range, first, last, flags);
  const long below = first < begin ? system_call(SYS_close_range, first, begin - 1, flags) : 0;
  const long above = last >= end ? system_call(SYS_close_range, end, last, flags) : 0;
  return below != 0 ? below : above;
}

}  // namespace

void remember_descriptors(bool may) {
  descriptors.may_change = may;
  const long end = reserved_descriptors().first;
  for (long fd = 0; fd < end && descriptors.may_change; ++fd) {
    if (!is_open(fd)) continue;
    if (descriptors.known_count == most_remembered)
      refuse("more than 64 files are open before main begins");
    descriptors.known[descriptors.known_count] = look_at(fd);
    descriptors.known[descriptors.known_count++].copy = copy_of(fd);
  }
  if (!descriptors.may_change) return;
  descriptors.directory = reserve_descriptor(
      system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>("."), O_PATH | O_CLOEXEC));
  system_call(SYS_stat, reinterpret_cast<long>("."),
              reinterpret_cast<long>(&descriptors.directory_status));
  descriptors.mask = static_cast<mode_t>(system_call(SYS_umask, 0));
  system_call(SYS_umask, descriptors.mask);
}

bool are_descriptors_as_remembered() {
  if (!descriptors.may_change) return true;
  for (unsigned k = 0; k < descriptors.known_count; ++k)
    if (!is_as_remembered(descriptors.known[k])) return false;
  return !has_own() && is_mask_as_remembered() && is_directory_as_remembered();
}

void restore_descriptors() {
  if (!descriptors.may_change) return;
  bool closed = true;
  for_free_numbers([&](long first, long last) {
    closed = system_call(SYS_close_range, first, last, 0) == 0 && closed;
  });
  if (!closed && has_own()) refuse_call("close_range");
  descriptors.asked_for = -1;
  for (unsigned k = 0; k < descriptors.known_count; ++k) put_back(descriptors.known[k]);
  system_call(SYS_umask, descriptors.mask);
  if (system_call(SYS_fchdir, descriptors.directory) != 0 && !is_directory_as_remembered())
    refuse_call("fchdir");
}

bool call_on_descriptors(long number, const long* a, long& result) {
  switch (number) {
    case SYS_close:
      result = is_reserved(a[0]) ? -EBADF : system_call(number, a[0]);
      return true;
    case SYS_dup2:
    case SYS_dup3:
      descriptors.asked_for = std::max(descriptors.asked_for, a[1]);
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
