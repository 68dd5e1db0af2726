// As race_store.c: what is released at a half of a variable is acquired with the whole.
// expect: finding data-race
#include <pthread.h>
#include <stdatomic.h>

static long u, seen;
static atomic_int steps;
static _Alignas(8) union {
  atomic_long whole;
  atomic_int half[2];
} flag;

static void* one(void* unused) {
  seen = u;
  atomic_store_explicit(&flag.half[1], 1, memory_order_release);
  return unused;
}
static void* other(void* unused) {
  atomic_store_explicit(&flag.half[1], 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&steps, 1, memory_order_relaxed);
  if (atomic_load_explicit(&flag.whole, memory_order_acquire)) u = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
