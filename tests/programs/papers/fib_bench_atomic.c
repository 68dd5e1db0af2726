// fib_bench of SV-COMP, with atomics: i = i + j and j = j + i, twice each.
// expect: verified optimal=19 observers=19
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long i = 1, j = 1;

__attribute__((noinline)) static void add(atomic_long* to, atomic_long* from) {
  const long sum = atomic_load(to);
  atomic_store(to, sum + atomic_load(from));
}
static void* first(void* unused) {
  for (int k = 0; k < 2; ++k) add(&i, &j);
  return unused;
}
static void* second(void* unused) {
  for (int k = 0; k < 2; ++k) add(&j, &i);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(i <= 8 && j <= 8);
}
