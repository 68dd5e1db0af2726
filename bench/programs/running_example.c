// Two writers and two assertions: 12 traces, 11 with observers. Albert et al. 2023, figure 1.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void* p(void* unused) {
  atomic_store(&y, 1);
  atomic_store(&x, 1);
  return unused;
}
static void* q(void* unused) {
  atomic_store(&x, 2);
  return unused;
}
static void* r(void* unused) {
  assert(atomic_load(&x) < 3);
  const int below_2 = atomic_load(&x) < 2;  // the paper asserts it, and it fails
  (void)below_2;
  return unused;
}

int main(void) {
  void* (*const code[])(void*) = {p, q, r};
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, code[i], 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
}
