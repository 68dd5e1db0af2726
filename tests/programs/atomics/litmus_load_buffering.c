// Load buffering: not both see what the other does afterwards.
// expect: verified optimal=3 observers=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x, y;
static long seen_x, seen_y;

static void* one(void* unused) {
  seen_x = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}
static void* other(void* unused) {
  seen_y = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(!seen_x || !seen_y);
}
