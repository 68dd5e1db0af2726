// A mutex is destroyed and made anew at the same place, of another kind.
// expect: verified optimal=1 observers=1
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;

static void* work(void* unused) {
  assert(pthread_mutex_lock(&m) == 0);
  assert(pthread_mutex_unlock(&m) == 0);
  return unused;
}

int main(void) {
  for (int i = 0; i < 3; ++i) {
    pthread_t a;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, i == 1 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_ERRORCHECK);
    assert(pthread_mutex_init(&m, &kind) == 0);
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_lock(&m) == (i == 1 ? 0 : EDEADLK));
    if (i == 1) pthread_mutex_unlock(&m);
    assert(pthread_mutex_unlock(&m) == 0);
    assert(pthread_mutex_destroy(&m) == 0);
  }
}
