// As race_mutex.c, with fences around relaxed accesses.
// expect: finding data-race
#include <pthread.h>
#include <stdatomic.h>

static long u, seen;
static atomic_int steps;
static atomic_int turns;

static void* one(void* unused) {
  seen = u;
  atomic_thread_fence(memory_order_release);
  atomic_fetch_add_explicit(&turns, 1, memory_order_relaxed);
  return unused;
}
static void* other(void* unused) {
  atomic_fetch_add_explicit(&turns, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_acquire);
  atomic_fetch_add_explicit(&steps, 1, memory_order_relaxed);
  u = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
