// Three threads exchange: each order is one trace.
// expect: verified optimal=6 observers=6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x;
static long got[3];

static void* swap(void* index) {
  long i = (long)index;
  got[i] = atomic_exchange(&x, i + 1);
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], 0, swap, (void*)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(got[0] + got[1] + got[2] + atomic_load(&x) == 6);
}
