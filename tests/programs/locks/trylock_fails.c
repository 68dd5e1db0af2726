// Of two threads that try, one can come while the other holds the mutex.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* try_it(void* unused) {
  assert(pthread_mutex_trylock(&m) == 0);  // here
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, try_it, 0);
  pthread_create(&b, 0, try_it, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
