// To close what another thread polls does not wake it.
// expect: finding deadlock
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* wait(void* unused) {
  struct pollfd file = {ends[0], POLLIN, 0};
  poll(&file, 1, -1);
  return unused;
}

int main(void) {
  pipe(ends);
  pthread_t thread;
  pthread_create(&thread, 0, wait, 0);
  close(ends[0]);
  pthread_join(thread, 0);
}
