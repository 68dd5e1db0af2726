// The mutex orders the accesses if main is second to take it, and does not if it is first.
// expect: finding data-race
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
long x;

static void* work(void* unused) {
  x = 1;
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  x = 2;
  pthread_join(a, 0);
}
