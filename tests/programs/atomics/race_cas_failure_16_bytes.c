// A compare-exchange that fails releases nothing, also one of sixteen bytes.
// expect: finding data-race line here
// cflags: -mcx16
#include <pthread.h>
#include <stdatomic.h>

typedef struct {
  long a, b;
} Pair;
static _Alignas(16) _Atomic Pair pair;
static atomic_int flag;
static int data;

static void* publish(void* unused) {
  data = 1;
  Pair expected = {5, 5};
  const Pair next = {1, 1};
  atomic_compare_exchange_strong_explicit(&pair, &expected, next, memory_order_acq_rel,
                                          memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}

static void* look(void* unused) {
  if (atomic_load_explicit(&flag, memory_order_relaxed) == 0) return unused;
  const Pair seen = atomic_load_explicit(&pair, memory_order_acquire);
  data = 2 + (int)seen.a;  // here
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, publish, 0);
  pthread_create(&two, 0, look, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
