// N threads write x, then y, and an assertion about both comes after all of them: N!^2 traces, N^2
// with observers. Albert et al. 2023, table 2, for figure 1 of Aronis et al. 2018, with its
// variants: -DDIF writes different values, and -DPHASES=2 does it again with variables of its own.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#ifndef PHASES
#define PHASES 1
#endif

static atomic_int x[PHASES], y[PHASES];

static void* writer(void* self) {
#ifdef DIF
  const int value = (int)(long)self;
#else
  const int value = self != 0;
#endif
  for (int k = 0; k < PHASES; ++k) {
    atomic_store(&x[k], value);
    atomic_store(&y[k], value);
  }
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; ++i) pthread_create(&threads[i], 0, writer, (void*)(i + 1));
  for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
  for (int k = 0; k < PHASES; ++k) {
    const int seen = atomic_load(&x[k]);
    assert(seen > 0 && atomic_load(&y[k]) > 0);
  }
}
