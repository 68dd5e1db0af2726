// The barrier is for three, and two come.
// expect: finding deadlock
#define _XOPEN_SOURCE 700
#include <pthread.h>

static pthread_barrier_t barrier;

static void* work(void* unused) {
  pthread_barrier_wait(&barrier);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&barrier, 0, 3);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
