// Random calls on pipes, sockets, counters and sets by one thread, none of which waits. (Few bytes are
// on the way at any time: how they are counted against the limits is the system's business.)
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { most = 12, calls = 4000 };

static uint64_t state = 88172645463325252;
static unsigned below(unsigned n) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned)(state >> 33) % n;
}

static int open_ones[most], count, set;
static unsigned names[most], next_name;
static bool counts[most];  // it is a counter, which takes eight bytes

static void add(int fd, bool counter) {
  open_ones[count] = fd;
  counts[count] = counter;
  names[count++] = next_name++;
}

static void forget(int k) {
  open_ones[k] = open_ones[--count];
  names[k] = names[count];
  counts[k] = counts[count];
}

static void told(const char* what, int k, long result) {
  printf("> %s %u: %ld %s\n", what, names[k], result, result < 0 ? strerror(errno) : "");
}

static void open_some(void) {
  int ends[2];
  if (count + 2 > most) return;
  switch (below(5)) {
    case 0:
      pipe2(ends, O_NONBLOCK);
      break;
    case 1:
      socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends);
      break;
    case 2:
      socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, ends);
      break;
    case 3:
      socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends);
      break;
    default:
      add(eventfd(below(3), EFD_NONBLOCK | (below(2) != 0 ? EFD_SEMAPHORE : 0)), true);
      return;
  }
  add(ends[0], false);
  add(ends[1], false);
}

static void use(int k) {
  static unsigned sent;
  char buffer[64] = {0};
  const int fd = open_ones[k];
  switch (below(8)) {
    case 0:
    case 1:
      if (sent++ % 8 == 7) return;  // more is read than written
      memset(buffer, (int)('a' + below(26)), sizeof buffer);
      memset(buffer + 1, 0, 7);
      told("write", k, write(fd, buffer, counts[k] ? 8 : 8 + below(4)));
      return;
    case 2:
    case 3:
    case 4: {
      const long n = read(fd, buffer, 8 + below(24));
      told("read", k, n);
      if (n > 0) printf(">   %d %d\n", buffer[0], buffer[n - 1]);
      return;
    }
    case 5: {
      struct pollfd file = {fd, (short)(POLLIN | (below(2) != 0 ? POLLOUT : 0)), 0};
      told("poll", k, poll(&file, 1, 0));
      printf(">   %x\n", (unsigned)file.revents);
      return;
    }
    case 6: {
      struct epoll_event event = {EPOLLIN, {.u32 = names[k]}};
      if (below(2) != 0) event.events |= EPOLLET;
      if (below(4) == 0) event.events |= EPOLLONESHOT;
      const int operation = (int[]){EPOLL_CTL_ADD, EPOLL_CTL_MOD, EPOLL_CTL_DEL}[below(3)];
      told("epoll_ctl", k, epoll_ctl(set, operation, fd, &event));
      return;
    }
    default:
      if (below(4) != 0) return;
      if (below(3) == 0 && count < most) {
        const int copy = dup(fd);
        names[count] = names[k];
        counts[count] = counts[k];
        open_ones[count++] = copy;
      } else {
        told("close", k, close(fd));
        forget(k);
      }
  }
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  set = epoll_create1(0);
  for (int call = 0; call < calls; ++call) {
    if (count == 0 || below(12) == 0) open_some();
    if (count != 0) use((int)below((unsigned)count));
    if (below(4) != 0) continue;
    struct epoll_event events[16];
    const int n = epoll_wait(set, events, 16, 0);
    uint64_t all = 0;  // in any order
    for (int k = 0; k < n; ++k) all += (events[k].data.u32 + 1) * 1000003u * events[k].events;
    printf("> epoll_wait: %d %lu\n", n, (unsigned long)all);
  }
  fflush(stdout);
}
