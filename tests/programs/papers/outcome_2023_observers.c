// The published algorithm with observers loses the outcome that this assertion excludes.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x;

static void* p(void* unused) {
  atomic_store(&x, 0);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, p, 0);
  atomic_store(&x, 1);
  const long first = atomic_load(&x);
  const long second = atomic_load(&x);
  assert(!(first == 1 && second == 0));  // here
  pthread_join(a, 0);
}
