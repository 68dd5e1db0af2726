// A mutex that checks is not released by a thread that does not hold it.
// expect: verified
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;
static long x;

static void* meddle(void* unused) {
  assert(pthread_mutex_unlock(&m) == EPERM);
  pthread_mutex_lock(&m);
  x = x + 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&m, &kind);
  pthread_create(&a, 0, meddle, 0);
  pthread_mutex_lock(&m);
  x = x + 1;
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  assert(x == 2);
}
