// Three threads compare and exchange: one wins, and the threads that fail only read.
// expect: verified optimal=3 observers=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x;
static long won[3];

static void* try_it(void* index) {
  long i = (long)index;
  long expected = 0;
  won[i] = atomic_compare_exchange_strong(&x, &expected, i + 1);
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], 0, try_it, (void*)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(won[0] + won[1] + won[2] == 1 && won[atomic_load(&x) - 1]);
}
