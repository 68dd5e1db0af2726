// As long as a thread can continue, time does not run out: the holder of the mutex releases it first.
// expect: verified
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long x;

static void* add(void* unused) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 1;
  assert(pthread_mutex_timedlock(&m, &until) == 0);
  x = x + 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
}
