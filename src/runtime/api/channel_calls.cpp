// Functions on channels. What is not a channel goes to the system.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdint>

#include "runtime/api/cancellation.hpp"
#include "runtime/api/channels.hpp"
#include "runtime/api/files.hpp"
#include "runtime/api/uses.hpp"
#include "runtime/kernel/findings.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/sys/process.hpp"

namespace heddle::runtime {
namespace {

long as_long(const void* pointer) { return reinterpret_cast<long>(pointer); }

template <typename... Arguments>
long ask_system(long number, Arguments... arguments) {
  return result_of(system_call(number, arguments...));
}

void note_outside() {
  if (is_running()) note(abi::note_outside);
}

// No source address: the other end of a pair has none.
long receive(int fd, void* buffer, std::size_t size, int flags, socklen_t* length) {
  const iovec part{buffer, size};
  if (length != nullptr) {
    plain_write(length, sizeof *length);
    *length = 0;
  }
  return channels().read(fd, &part, 1, flags);
}

long send_to_channel(int fd, const void* buffer, std::size_t size, int flags, const void* address) {
  if (address != nullptr) {
    errno = EISCONN;
    return -1;
  }
  const iovec part{const_cast<void*>(buffer), size};
  return channels().write(fd, &part, 1, flags, true);
}

void refuse_control(const msghdr& message) {
  if (message.msg_controllen != 0)
    unsupported("sendmsg and recvmsg of a channel with control data");
}

void tell_parts(const iovec* parts, int count, bool writes) {
  plain_read(parts, static_cast<std::uint64_t>(count) * sizeof *parts);
  for (int k = 0; k < count; ++k)
    writes ? plain_write(parts[k].iov_base, parts[k].iov_len)
           : plain_read(parts[k].iov_base, parts[k].iov_len);
}

const timespec* duration_of(int milliseconds, timespec& out) {
  out = {milliseconds / 1000, milliseconds % 1000 * 1'000'000L};
  return milliseconds < 0 ? nullptr : &out;
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;

// --- new ones

HEDDLE_EXPORT int pipe(int* ends) noexcept { return channels().pipe(ends, 0); }
HEDDLE_EXPORT int pipe2(int* ends, int flags) noexcept { return channels().pipe(ends, flags); }
HEDDLE_EXPORT int socketpair(int domain, int type, int protocol, int* ends) noexcept {
  return channels().socketpair(domain, type, protocol, ends);
}
HEDDLE_EXPORT int eventfd(unsigned initial, int flags) noexcept {
  return channels().eventfd(initial, flags);
}
HEDDLE_EXPORT int timerfd_create(int clock, int flags) noexcept {
  return channels().timerfd_create(clock, flags);
}
HEDDLE_EXPORT int timerfd_settime(int fd, int flags, const itimerspec* to,
                                  itimerspec* was) noexcept {
  return channels().timerfd_settime(fd, flags, to, was);
}
HEDDLE_EXPORT int timerfd_gettime(int fd, itimerspec* now) noexcept {
  return channels().timerfd_gettime(fd, now);
}
HEDDLE_EXPORT int epoll_create(int size) noexcept {
  if (size > 0) return channels().epoll_create(0);
  errno = EINVAL;
  return -1;
}
HEDDLE_EXPORT int epoll_create1(int flags) noexcept { return channels().epoll_create(flags); }
HEDDLE_EXPORT int epoll_ctl(int epoll, int operation, int fd, epoll_event* event) noexcept {
  return channels().epoll_ctl(epoll, operation, fd, event);
}
HEDDLE_EXPORT int epoll_wait(int epoll, epoll_event* events, int most, int milliseconds) {
  timespec duration;
  return channels().epoll_wait(epoll, events, most, duration_of(milliseconds, duration));
}
HEDDLE_EXPORT int epoll_pwait(int epoll, epoll_event* events, int most, int milliseconds,
                              const sigset_t* mask) {
  if (mask != nullptr) unsupported("epoll_pwait with a set of signals");
  return epoll_wait(epoll, events, most, milliseconds);
}

// --- bytes

HEDDLE_EXPORT ssize_t write(int fd, const void* buffer, std::size_t size) {
  if (is_channel(fd)) {
    const iovec part{const_cast<void*>(buffer), size};
    return channels().write(fd, &part, 1, 0, false);
  }
  cancellation_point();
  tell<"write">(HEDDLE_CALLED_FROM, fd, buffer, size);
  return ask_system(SYS_write, fd, as_long(buffer), static_cast<long>(size));
}
HEDDLE_EXPORT ssize_t readv(int fd, const iovec* parts, int count) {
  if (is_channel(fd)) return channels().read(fd, parts, count, 0);
  cancellation_point();
  tell_parts(parts, count, true);
  use_descriptor(fd, FileUse::changes);
  return ask_system(SYS_readv, fd, as_long(parts), count);
}
HEDDLE_EXPORT ssize_t writev(int fd, const iovec* parts, int count) {
  if (is_channel(fd)) return channels().write(fd, parts, count, 0, false);
  cancellation_point();
  tell_parts(parts, count, false);
  use_descriptor(fd, FileUse::puts_out);
  return ask_system(SYS_writev, fd, as_long(parts), count);
}
HEDDLE_EXPORT int eventfd_read(int fd, eventfd_t* value) {
  return read(fd, value, sizeof *value) == sizeof *value ? 0 : -1;
}
HEDDLE_EXPORT int eventfd_write(int fd, eventfd_t value) {
  return write(fd, &value, sizeof value) == sizeof value ? 0 : -1;
}

// --- sockets

HEDDLE_EXPORT ssize_t recv(int fd, void* buffer, std::size_t size, int flags) {
  if (is_channel(fd)) return receive(fd, buffer, size, flags, nullptr);
  cancellation_point();
  tell<"recv">(HEDDLE_CALLED_FROM, fd, buffer, size, flags);
  return ask_system(SYS_recvfrom, fd, as_long(buffer), static_cast<long>(size), flags, 0L, 0L);
}
HEDDLE_EXPORT ssize_t recvfrom(int fd, void* buffer, std::size_t size, int flags, sockaddr* from,
                               socklen_t* length) {
  if (is_channel(fd)) return receive(fd, buffer, size, flags, from == nullptr ? nullptr : length);
  cancellation_point();
  plain_write(buffer, size);
  use_descriptor(fd, FileUse::changes);
  return ask_system(SYS_recvfrom, fd, as_long(buffer), static_cast<long>(size), flags,
                    as_long(from), as_long(length));
}
HEDDLE_EXPORT ssize_t recvmsg(int fd, msghdr* message, int flags) {
  plain_update(message, sizeof *message);
  if (!is_channel(fd)) {
    cancellation_point();
    tell_parts(message->msg_iov, static_cast<int>(message->msg_iovlen), true);
    use_descriptor(fd, FileUse::changes);
    return ask_system(SYS_recvmsg, fd, as_long(message), flags);
  }
  refuse_control(*message);
  message->msg_namelen = 0;
  message->msg_flags = 0;
  return channels().read(fd, message->msg_iov, static_cast<int>(message->msg_iovlen), flags);
}
HEDDLE_EXPORT ssize_t send(int fd, const void* buffer, std::size_t size, int flags) {
  if (is_channel(fd)) return send_to_channel(fd, buffer, size, flags, nullptr);
  cancellation_point();
  tell<"send">(HEDDLE_CALLED_FROM, fd, buffer, size, flags);
  note_outside();
  return ask_system(SYS_sendto, fd, as_long(buffer), static_cast<long>(size), flags, 0L, 0L);
}
HEDDLE_EXPORT ssize_t sendto(int fd, const void* buffer, std::size_t size, int flags,
                             const sockaddr* to, socklen_t length) {
  if (is_channel(fd)) return send_to_channel(fd, buffer, size, flags, to);
  cancellation_point();
  tell<"sendto">(HEDDLE_CALLED_FROM, fd, buffer, size, flags, to, length);
  note_outside();
  return ask_system(SYS_sendto, fd, as_long(buffer), static_cast<long>(size), flags, as_long(to),
                    static_cast<long>(length));
}
HEDDLE_EXPORT ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  plain_read(message, sizeof *message);
  if (is_channel(fd)) {
    refuse_control(*message);
    return channels().write(fd, message->msg_iov, static_cast<int>(message->msg_iovlen), flags,
                            true);
  }
  cancellation_point();
  plain_read(message->msg_name, message->msg_namelen);
  plain_read(message->msg_control, message->msg_controllen);
  tell_parts(message->msg_iov, static_cast<int>(message->msg_iovlen), false);
  note_outside();
  return ask_system(SYS_sendmsg, fd, as_long(message), flags);
}
HEDDLE_EXPORT int shutdown(int fd, int how) noexcept {
  if (is_channel(fd)) return channels().shutdown(fd, how);
  return static_cast<int>(ask_system(SYS_shutdown, fd, how));
}

// --- what else can be asked of a descriptor. The third argument is a number or an address.

#define HEDDLE_FCNTL(name)                                                             \
  HEDDLE_EXPORT int own_##name(int, int, ...) asm(#name);                              \
  int own_##name(int fd, int command, ...) {                                           \
    va_list list;                                                                      \
    va_start(list, command);                                                           \
    const long argument = va_arg(list, long);                                          \
    va_end(list);                                                                      \
    if (is_channel(fd)) return channels().fcntl(fd, command, argument);                \
    const int result = static_cast<int>(ask_system(SYS_fcntl, fd, command, argument)); \
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) note_copy(fd, result);       \
    return result;                                                                     \
  }
HEDDLE_FCNTL(fcntl)
HEDDLE_FCNTL(fcntl64)

HEDDLE_EXPORT int ioctl(int fd, unsigned long request, ...) noexcept {
  va_list list;
  va_start(list, request);
  void* const argument = va_arg(list, void*);
  va_end(list);
  if (is_channel(fd)) return channels().ioctl(fd, request, argument);
  return static_cast<int>(ask_system(SYS_ioctl, fd, static_cast<long>(request), as_long(argument)));
}
