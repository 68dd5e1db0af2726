// Two threads read, add one and write: one update can be lost.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x;

static void* add(void* unused) {
  (void)unused;
  atomic_store(&x, atomic_load(&x) + 1);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(atomic_load(&x) == 2);  // here
}
