// No thread signals: each wait runs into its limit, with the mutex taken again.
// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t real = PTHREAD_COND_INITIALIZER, monotonic;

static struct timespec in_a_second(clockid_t clock) {
  struct timespec until;
  clock_gettime(clock, &until);
  until.tv_sec += 1;
  return until;
}

int main(void) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  assert(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0);
  pthread_cond_init(&monotonic, &attributes);
  struct timespec a = in_a_second(CLOCK_REALTIME), b = in_a_second(CLOCK_MONOTONIC);
  pthread_mutex_lock(&m);
  assert(pthread_cond_timedwait(&real, &m, &a) == ETIMEDOUT);
  assert(pthread_cond_timedwait(&monotonic, &m, &b) == ETIMEDOUT);
  assert(pthread_mutex_trylock(&m) == EBUSY);
  assert(pthread_mutex_unlock(&m) == 0);
  assert(pthread_cond_destroy(&monotonic) == 0);
}
