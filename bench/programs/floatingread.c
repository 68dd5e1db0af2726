// N writers of a variable, and a reader that does not wait: (N + 1)! traces, N * 2^(N - 1) + 1
// with observers. Aronis et al. 2018, table 1 (floating read); Albert et al. 2023, table 2, with
// its variants: -DDIF writes different values, and -DPHASES=2 has each thread do it again with a
// variable of its own for each phase, so that the counts are squares.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif
#ifndef PHASES
#define PHASES 1
#endif

static atomic_int x[PHASES];

static void* writer(void* self) {
#ifdef DIF
  const int value = (int)(long)self;
#else
  const int value = self != 0;
#endif
  for (int k = 0; k < PHASES; ++k) atomic_store(&x[k], value);
  return 0;
}
static void* reader(void* unused) {
  for (int k = 0; k < PHASES; ++k) assert(atomic_load(&x[k]) >= 0);
  return unused;
}

int main(void) {
  pthread_t threads[N + 1];
  for (long i = 0; i < N; ++i) pthread_create(&threads[i], 0, writer, (void*)(i + 1));
  pthread_create(&threads[N], 0, reader, 0);
  for (int i = 0; i <= N; ++i) pthread_join(threads[i], 0);
}
