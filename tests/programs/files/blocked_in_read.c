// expect: misuse thread 1 is blocked in read
// runs: one
#include <pthread.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static void* waits(void* argument) {
  char buffer[8];
  const int never = timerfd_create(CLOCK_MONOTONIC, 0);
  if (read(never, buffer, sizeof buffer) != 0) return 0;
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waits, 0);
  pthread_join(t, 0);
  return 0;
}
