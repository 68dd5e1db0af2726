// What one thread writes behind the barrier is not ordered with what the other reads there.
// expect: finding data-race
#define _XOPEN_SOURCE 700
#include <pthread.h>

static pthread_barrier_t barrier;
long x;

static void* work(void* unused) {
  pthread_barrier_wait(&barrier);
  x = 1;
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&a, 0, work, 0);
  x = 2;
  pthread_barrier_wait(&barrier);
  long seen = x;
  pthread_join(a, 0);
  return seen > 2;
}
