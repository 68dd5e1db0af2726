// What one thread sees of pipes, sockets, counters, sets and timers.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

static short ready(int fd, short events) {
  struct pollfd file = {fd, events, 0};
  assert(poll(&file, 1, 0) == (file.revents != 0));
  return file.revents;
}

static void pipes(void) {
  int p[2];
  char buffer[16];
  assert(pipe2(p, O_NONBLOCK | O_CLOEXEC) == 0 && p[0] != p[1]);
  assert((fcntl(p[0], F_GETFL) & (O_NONBLOCK | O_ACCMODE)) == (O_NONBLOCK | O_RDONLY));
  assert((fcntl(p[1], F_GETFL) & O_ACCMODE) == O_WRONLY);
  assert(ready(p[0], POLLIN) == 0 && ready(p[1], POLLOUT) == POLLOUT);
  assert(read(p[0], buffer, 1) == -1 && errno == EAGAIN);
  assert(read(p[1], buffer, 1) == -1 && errno == EBADF);
  assert(write(p[0], buffer, 1) == -1 && errno == EBADF);
  assert(write(p[1], "hello", 5) == 5 && write(p[1], "", 0) == 0);
  int size = 0;
  assert(ioctl(p[0], FIONREAD, &size) == 0 && size == 5);
  assert(ready(p[0], POLLIN) == POLLIN);
  assert(read(p[0], buffer, 2) == 2 && memcmp(buffer, "he", 2) == 0);
  const struct iovec parts[] = {{buffer, 1}, {buffer + 8, 8}};
  assert(readv(p[0], parts, 2) == 3 && buffer[0] == 'l' && memcmp(buffer + 8, "lo", 2) == 0);
  static char large[70000];
  assert(write(p[1], large, sizeof large) == 65536);
  assert(ready(p[1], POLLOUT) == 0);
  assert(write(p[1], large, 1) == -1 && errno == EAGAIN);
  assert(write(p[1], large, 5000) == -1 && errno == EAGAIN);
  assert(read(p[0], large, sizeof large) == 65536);
  const int copy = dup(p[1]);
  assert(copy != p[1] && close(p[1]) == 0 && close(p[1]) == -1 && errno == EBADF);
  assert(write(copy, "x", 1) == 1 && close(copy) == 0);
  assert((ready(p[0], POLLIN) & (POLLIN | POLLHUP)) == (POLLIN | POLLHUP));
  assert(read(p[0], buffer, 9) == 1 && read(p[0], buffer, 9) == 0);
  assert(ready(p[0], POLLIN) == POLLHUP && close(p[0]) == 0);
  assert(ready(p[0], POLLIN) == POLLNVAL);
  assert(pipe(p) == 0 && close(p[0]) == 0);
  assert((ready(p[1], POLLOUT) & POLLERR) != 0);
  assert(write(p[1], "x", 1) == -1 && errno == EPIPE && close(p[1]) == 0);
}

static void sockets(void) {
  int s[2];
  char buffer[16];
  assert(socketpair(AF_INET, SOCK_STREAM, 0, s) == -1 && errno == EOPNOTSUPP);
  assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, s) == 0);
  assert(send(s[0], "abc", 3, 0) == 3 && send(s[0], "d", 1, MSG_NOSIGNAL) == 1);
  assert(recv(s[1], buffer, 3, MSG_PEEK) == 3 && recv(s[1], buffer, 16, 0) == 4);
  assert(recv(s[1], buffer, 16, 0) == -1 && errno == EAGAIN);
  assert(shutdown(s[0], SHUT_WR) == 0);
  assert(recv(s[1], buffer, 16, 0) == 0 && send(s[1], "x", 1, 0) == 1);
  assert(ready(s[1], POLLIN | POLLOUT) == (POLLIN | POLLOUT));
  assert(send(s[0], "x", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE);
  assert(recv(s[0], buffer, 16, 0) == 1 && close(s[1]) == 0);
  assert(recv(s[0], buffer, 16, 0) == 0 && close(s[0]) == 0);
  assert(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, s) == 0);
  assert(send(s[0], "abcdef", 6, 0) == 6 && send(s[0], "", 0, 0) == 0 && write(s[0], "g", 1) == 1);
  assert(recv(s[1], buffer, 3, MSG_TRUNC) == 6 && recv(s[1], buffer, 16, 0) == 0);
  assert(read(s[1], buffer, 16) == 1 && buffer[0] == 'g');
  assert(recv(s[1], buffer, 16, MSG_DONTWAIT) == -1 && errno == EAGAIN);
  int sent = 0;
  while (send(s[0], "m", 1, 0) == 1) ++sent;
  assert(errno == EAGAIN && sent >= 2 && sent < 1000);
  assert(close(s[1]) == 0 && send(s[0], "m", 1, 0) == -1 && errno == ECONNREFUSED);
  assert(close(s[0]) == 0);
}

static void counters(void) {
  const int e = eventfd(2, EFD_NONBLOCK);
  uint64_t value = 3;
  assert(ready(e, POLLIN | POLLOUT) == (POLLIN | POLLOUT));
  assert(write(e, &value, 4) == -1 && errno == EINVAL);
  assert(write(e, &value, 8) == 8 && read(e, &value, 8) == 8 && value == 5);
  assert(read(e, &value, 8) == -1 && errno == EAGAIN && ready(e, POLLIN) == 0);
  value = UINT64_MAX;
  assert(write(e, &value, 8) == -1 && errno == EINVAL);
  value = UINT64_MAX - 1;
  assert(write(e, &value, 8) == 8 && ready(e, POLLOUT) == 0);
  value = 1;
  assert(write(e, &value, 8) == -1 && errno == EAGAIN && close(e) == 0);
  const int s = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
  for (int k = 0; k < 2; ++k) assert(read(s, &value, 8) == 8 && value == 1);
  assert(read(s, &value, 8) == -1 && errno == EAGAIN && close(s) == 0);
}

static void sets(void) {
  int p[2];
  struct epoll_event event = {EPOLLIN, {.u32 = 7}}, got[4];
  char c;
  const int set = epoll_create1(EPOLL_CLOEXEC);
  assert(pipe(p) == 0 && epoll_ctl(set, EPOLL_CTL_ADD, p[0], &event) == 0);
  assert(epoll_ctl(set, EPOLL_CTL_ADD, p[0], &event) == -1 && errno == EEXIST);
  assert(epoll_ctl(set, EPOLL_CTL_MOD, p[1], &event) == -1 && errno == ENOENT);
  assert(epoll_wait(set, got, 0, 0) == -1 && errno == EINVAL && epoll_wait(set, got, 4, 0) == 0);
  assert(write(p[1], "ab", 2) == 2);
  for (int k = 0; k < 2; ++k)
    assert(epoll_wait(set, got, 4, 0) == 1 && got[0].data.u32 == 7 && got[0].events == EPOLLIN);
  event.events = EPOLLIN | EPOLLET;
  assert(epoll_ctl(set, EPOLL_CTL_MOD, p[0], &event) == 0);
  assert(epoll_wait(set, got, 4, 0) == 1 && epoll_wait(set, got, 4, 0) == 0);
  assert(write(p[1], "c", 1) == 1 && epoll_wait(set, got, 4, 0) == 1);
  event.events = EPOLLIN | EPOLLONESHOT;
  assert(epoll_ctl(set, EPOLL_CTL_MOD, p[0], &event) == 0);
  assert(epoll_wait(set, got, 4, 0) == 1 && epoll_wait(set, got, 4, 0) == 0);
  assert(write(p[1], "d", 1) == 1 && epoll_wait(set, got, 4, 0) == 0);
  assert(epoll_ctl(set, EPOLL_CTL_DEL, p[0], 0) == 0 && epoll_wait(set, got, 4, 0) == 0);
  event.events = EPOLLIN;
  assert(epoll_ctl(set, EPOLL_CTL_ADD, p[0], &event) == 0 && epoll_wait(set, got, 4, 0) == 1);
  assert(read(p[0], &c, 1) == 1 && close(p[0]) == 0 && epoll_wait(set, got, 4, 0) == 0);
  assert(close(p[1]) == 0 && close(set) == 0);
}

static void timers(void) {
  const int t = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  uint64_t count;
  struct itimerspec to = {{0, 0}, {100, 0}}, now;
  assert(read(t, &count, 8) == -1 && errno == EAGAIN);
  assert(timerfd_gettime(t, &now) == 0 && now.it_value.tv_sec == 0 && now.it_value.tv_nsec == 0);
  assert(timerfd_settime(t, 0, &to, 0) == 0 && read(t, &count, 8) == -1 && errno == EAGAIN);
  assert(timerfd_gettime(t, &now) == 0 && now.it_value.tv_sec >= 98 && now.it_value.tv_sec <= 100);
  to.it_value.tv_sec = 0;
  assert(timerfd_settime(t, 0, &to, &now) == 0 && now.it_value.tv_sec >= 98);
  to.it_value.tv_nsec = 1000000000;
  assert(timerfd_settime(t, 0, &to, 0) == -1 && errno == EINVAL && close(t) == 0);
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  pipes();
  puts("> pipes");
  sockets();
  puts("> sockets");
  counters();
  puts("> counters");
  sets();
  puts("> sets");
  timers();
  puts("> timers");
  fflush(stdout);
}
