// What main returns in one schedule of two.
// expect: finding exit
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x;

static void* set(void* unused) {
  atomic_store(&x, 1);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, set, 0);
  long seen = atomic_load(&x);
  pthread_join(a, 0);
  return seen == 1 ? 3 : 0;
}
