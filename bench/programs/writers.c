// A reader and N writers: (N + 1)! traces, N * 2^(N - 1) + 1 with observers. Described in parallel
// Concuerror (2018), section 6.1, without counts.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int x;

static void* read_it(void* unused) {
  assert(atomic_load(&x) <= N);
  return unused;
}
static void* write_it(void* value) {
  atomic_store(&x, (int)(long)value);
  return 0;
}

int main(void) {
  pthread_t threads[N + 1];
  pthread_create(&threads[0], 0, read_it, 0);
  for (long i = 1; i <= N; ++i) pthread_create(&threads[i], 0, write_it, (void*)i);
  for (int i = 0; i <= N; ++i) pthread_join(threads[i], 0);
}
