// What the runtime calls for descriptors that are not the system's: pipes, pairs of sockets,
// counters and timers between threads (src/channels). They are written in C, built by the pass, and
// linked into each program, so that they are explored as the program is: their state is memory of
// the program, and their waits are those of mutexes and conditions. For C and C++.
#ifndef HEDDLE_RUNTIME_ABI_CHANNELS_H
#define HEDDLE_RUNTIME_ABI_CHANNELS_H

#include <poll.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

// Descriptors from the first to before the end are channels, open or not; the system has others.
// (select takes no number from 1,024 on, and few programs have this many files.)
enum { heddle_first_channel = 256, heddle_end_of_channels = 512 };

// As the functions of these names, with errno. read and write have the flags of recv and send.
struct heddle_channels {
  int (*pipe)(int ends[2], int flags);
  int (*socketpair)(int domain, int type, int protocol, int ends[2]);
  int (*eventfd)(unsigned initial, int flags);
  int (*timerfd_create)(int clock, int flags);
  int (*timerfd_settime)(int fd, int flags, const struct itimerspec* to, struct itimerspec* was);
  int (*timerfd_gettime)(int fd, struct itimerspec* now);
  int (*epoll_create)(int flags);
  int (*epoll_ctl)(int epoll, int operation, int fd, struct epoll_event* event);
  int (*epoll_wait)(int epoll, struct epoll_event* events, int most,
                    const struct timespec* duration);
  long (*read)(int fd, const struct iovec* parts, int count, int flags);
  long (*write)(int fd, const struct iovec* parts, int count, int flags, bool is_socket_call);
  // A copy with the lowest number from `least` on, or, if `exactly`, with that number.
  int (*copy)(int fd, int least, bool exactly);
  int (*close)(int fd);
  int (*shutdown)(int fd, int how);
  int (*fcntl)(int fd, int command, long argument);
  int (*ioctl)(int fd, unsigned long request, void* argument);
  // Descriptors of the system are asked without waiting for them. No duration: without limit.
  int (*poll)(struct pollfd* files, nfds_t count, const struct timespec* duration);
};

// The runtime's: where channels are to be found, and how they refuse what they do not have, which
// is a limit of the tool and not an error of the program.
void __heddle_use_channels(const struct heddle_channels* channels);
__attribute__((noreturn)) void __heddle_unsupported(const char* what);

#ifdef __cplusplus
}
#endif

#endif
