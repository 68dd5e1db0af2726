// A recursive mutex is free when it was released as often as it was taken.
// expect: verified
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;
static long x;

static void* add(void* unused) {
  for (int i = 0; i < 3; ++i) assert(pthread_mutex_lock(&m) == 0);
  assert(pthread_mutex_trylock(&m) == 0);
  pthread_mutex_unlock(&m);
  long seen = x;
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&m);
  x = seen + 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &kind);
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2 && pthread_mutex_destroy(&m) == 0);
}
