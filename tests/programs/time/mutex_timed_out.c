// Main holds the mutex until the thread has given up: its time limit is the only way on.
// expect: verified
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* try_it(void* unused) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 1;
  assert(pthread_mutex_timedlock(&m, &until) == ETIMEDOUT);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_mutex_lock(&m);
  pthread_create(&a, 0, try_it, 0);
  pthread_join(a, 0);
  pthread_mutex_unlock(&m);
}
