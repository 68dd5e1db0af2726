// A search for the last zero of an array, while N threads each make an element one more than the
// one before it: (N + 3) * 2^(N - 2) traces. Parallel Concuerror (2018), table 6.1 and figure 5.6.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

static atomic_int array[N + 1];

static void* search(void* unused) {
  int i = N;
  while (atomic_load(&array[i]) != 0) --i;
  return unused;
}
static void* copy(void* index) {
  const long i = (long)index;
  atomic_store(&array[i], atomic_load(&array[i - 1]) + 1);
  return 0;
}

int main(void) {
  pthread_t threads[N + 1];
  pthread_create(&threads[0], 0, search, 0);
  for (long i = 1; i <= N; ++i) pthread_create(&threads[i], 0, copy, (void*)i);
  for (int i = 0; i <= N; ++i) pthread_join(threads[i], 0);
}
