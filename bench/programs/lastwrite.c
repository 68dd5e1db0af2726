// N writers of a variable, and a reader after all of them: N! traces, N with observers. Aronis et
// al. 2018, table 1; Albert et al. 2023, table 2, with its variants: -DDIF writes different values,
// and -DPHASES=3 is what the counts of lastwrite-2phases say, in spite of the name: each writer
// goes through three variables, and the counts are cubes.
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

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; ++i) pthread_create(&threads[i], 0, writer, (void*)(i + 1));
  for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
  for (int k = 0; k < PHASES; ++k) assert(atomic_load(&x[k]) > 0);
}
