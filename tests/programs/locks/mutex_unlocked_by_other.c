// A thread releases what another holds.
// expect: finding lock-misuse line here
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* release(void* unused) {
  pthread_mutex_unlock(&m);  // here
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_mutex_lock(&m);
  pthread_create(&a, 0, release, 0);
  pthread_join(a, 0);
}
