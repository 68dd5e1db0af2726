// Store buffering: as runs are sequentially consistent, one of the two sees the other.
// expect: verified optimal=3 observers=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x, y;
static long seen_x, seen_y;

static void* one(void* unused) {
  atomic_store(&x, 1);
  seen_y = atomic_load(&y);
  return unused;
}
static void* other(void* unused) {
  atomic_store(&y, 1);
  seen_x = atomic_load(&x);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(seen_x || seen_y);
}
