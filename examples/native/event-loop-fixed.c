// The event loop reads until there is nothing left.
// expect: verified
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

static int ends[2];

static void* loop(void* unused) {
  const int set = epoll_create1(0);
  struct epoll_event event = {EPOLLIN | EPOLLET, {.fd = ends[0]}};
  epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event);
  for (int bytes = 0; bytes < 2;) {
    char byte;
    epoll_wait(set, &event, 1, -1);
    while (read(ends[0], &byte, 1) == 1) ++bytes;
  }
  return unused;
}

int main(void) {
  pipe2(ends, O_NONBLOCK);
  pthread_t thread;
  pthread_create(&thread, 0, loop, 0);
  write(ends[1], "a", 1);
  write(ends[1], "b", 1);
  pthread_join(thread, 0);
}
