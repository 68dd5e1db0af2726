// The thread that is joined has learned of the other one, or has not, and comes to the same state.
// expect: finding data-race
#include <pthread.h>
#include <stdatomic.h>

static long u, seen;
static atomic_int turns;

static void* one(void* unused) {
  seen = u;
  atomic_fetch_add_explicit(&turns, 1, memory_order_acq_rel);
  return unused;
}
static void* two(void* unused) {
  atomic_fetch_add_explicit(&turns, 1, memory_order_acq_rel);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(b, 0);
  u = 1;
  pthread_join(a, 0);
}
