// A reader never sees a variable go back.
// expect: verified optimal=6 observers=6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x;

static void* write_it(void* unused) {
  atomic_store(&x, 1);
  atomic_store(&x, 2);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, write_it, 0);
  const long first = atomic_load(&x);
  const long second = atomic_load(&x);
  assert(first <= second);
  pthread_join(a, 0);
}
