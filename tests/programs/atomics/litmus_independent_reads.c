// Two readers of two independent writes agree on which came first.
// expect: verified optimal=15 observers=15
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x, y;
static long seen[4];

static void* write_it(void* to) {
  atomic_store((atomic_long*)to, 1);
  return 0;
}
static void* read_xy(void* unused) {
  seen[0] = atomic_load(&x);
  seen[1] = atomic_load(&y);
  return unused;
}
static void* read_yx(void* unused) {
  seen[2] = atomic_load(&y);
  seen[3] = atomic_load(&x);
  return unused;
}

int main(void) {
  pthread_t a, b, c, d;
  pthread_create(&a, 0, write_it, &x);
  pthread_create(&b, 0, write_it, &y);
  pthread_create(&c, 0, read_xy, 0);
  pthread_create(&d, 0, read_yx, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  pthread_join(d, 0);
  assert(!(seen[0] && !seen[1] && seen[2] && !seen[3]));
}
