// expect: finding deadlock
// options: --timeouts explore
// The same of a lock that the thread has already.
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static pthread_mutex_t own = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

static void* wait(void* p) {
  struct timespec late;
  clock_gettime(CLOCK_REALTIME, &late);
  ++late.tv_sec;
  pthread_mutex_lock(&own);
  pthread_mutex_timedlock(&own, &late);
  pthread_mutex_lock(&other);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&other);
  pthread_create(&t, 0, wait, 0);
  pthread_join(t, 0);
  return 0;
}
