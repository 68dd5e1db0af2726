// Whether a store in a waiting loop leaves memory as it was depends on what was there: its order
// with other stores matters, though no thread reads in between.
// expect: finding assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x = 1, q, y;

static void *other(void *unused) {
  x = 2;
  q = 1;
  y = 1;
  return 0;
}

static int wait_for(void) {
  for (;;) {
    if (q == 0) {
      x = 1;
      if (y == 1) return 0;
    } else if (y == 1) {
      return x;
    }
  }
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  assert(wait_for() != 1);
  pthread_join(t, 0);
}
