// A waiting loop is left only after a time-out, which comes only when no other thread can continue. So the
// loop looks before it, and once more after it.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static sem_t never;
static atomic_int done;

static void* give_up(void* unused) {
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  ++limit.tv_sec;
  sem_timedwait(&never, &limit);
  done = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  sem_init(&never, 0, 0);
  pthread_create(&thread, 0, give_up, 0);
  while (!done) usleep(10);
  assert(0);  // here
}
