// A reader is inside for good: a writer gives up, another reader does not.
// expect: verified
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void* work(void* unused) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 1;
  assert(pthread_rwlock_timedwrlock(&l, &until) == ETIMEDOUT);
  assert(pthread_rwlock_timedrdlock(&l, &until) == 0);
  pthread_rwlock_unlock(&l);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_rwlock_rdlock(&l);
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
  pthread_rwlock_unlock(&l);
}
