// The mutex can be free already when it is tried.
// expect: finding assertion line here
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* try_it(void* unused) {
  assert(pthread_mutex_trylock(&m) == EBUSY);  // here
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_mutex_lock(&m);
  pthread_create(&a, 0, try_it, 0);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
}
