// (N + 3) * 2^(N - 2) traces.
// expect: verified optimal=64 observers=64
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

static atomic_long array[N + 1];

static void* search(void* unused) {
  (void)unused;
  int i = N;
  while (atomic_load(&array[i]) != 0) --i;
  return (void*)(long)i;
}
static void* copy(void* index) {
  long i = (long)index;
  atomic_store(&array[i], atomic_load(&array[i - 1]) + 1);
  return 0;
}

int main(void) {
  pthread_t threads[N + 1];
  pthread_create(&threads[0], 0, search, 0);
  for (long i = 1; i <= N; ++i) pthread_create(&threads[i], 0, copy, (void*)i);
  for (int i = 0; i <= N; ++i) pthread_join(threads[i], 0);
}
