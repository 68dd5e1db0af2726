// A timer expires if nothing else happens, in virtual time: an hour takes no time.
// expect: verified
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

static void* wait(void* timer) {
  struct pollfd file = {*(int*)timer, POLLIN, 0};
  assert(poll(&file, 1, -1) == 1 && file.revents == POLLIN);
  uint64_t count;
  assert(read(file.fd, &count, sizeof count) == sizeof count && count >= 1);
  return timer;
}

int main(void) {
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  const struct itimerspec hour = {{0, 0}, {3600, 0}};
  assert(timerfd_settime(timer, 0, &hour, 0) == 0);
  pthread_t thread;
  pthread_create(&thread, 0, wait, &timer);
  pthread_join(thread, 0);
  struct itimerspec left;
  assert(timerfd_gettime(timer, &left) == 0 && left.it_value.tv_sec == 0);
}
