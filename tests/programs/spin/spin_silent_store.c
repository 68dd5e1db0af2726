// A waiting loop that stores the same again and again.
// options: --max-steps 3000
// expect: verified optimal=2
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static void *other(void *unused) {
  y = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  while (y == 0) x = 1;
  pthread_join(t, 0);
}
