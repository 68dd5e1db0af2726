// A writer and N readers: 2^N traces. Parallel Concuerror (2018), table 6.1.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

static atomic_int x;

static void* write_it(void* unused) {
  atomic_store(&x, 1);
  return unused;
}
static void* read_it(void* unused) {
  assert(atomic_load(&x) <= 1);
  return unused;
}

int main(void) {
  pthread_t threads[N + 1];
  pthread_create(&threads[0], 0, write_it, 0);
  for (int i = 1; i <= N; ++i) pthread_create(&threads[i], 0, read_it, 0);
  for (int i = 0; i <= N; ++i) pthread_join(threads[i], 0);
}
