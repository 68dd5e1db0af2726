// Two threads that each add the other's variable to their own, N times. fib_bench of SV-COMP, with
// atomic accesses in the place of its data races; fib in Aronis et al. 2018, table 1.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int i = 1, j = 1;

static void* first(void* unused) {
  for (int k = 0; k < N; ++k) {
    const int own = atomic_load(&i);
    atomic_store(&i, own + atomic_load(&j));
  }
  return unused;
}
static void* second(void* unused) {
  for (int k = 0; k < N; ++k) {
    const int own = atomic_load(&j);
    atomic_store(&j, own + atomic_load(&i));
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  int most = 1, before = 1;  // the Fibonacci number 2 N + 2
  for (int k = 0; k < 2 * N; ++k) {
    const int sum = before + most;
    before = most;
    most = sum;
  }
  assert(atomic_load(&i) <= most && atomic_load(&j) <= most);
}
