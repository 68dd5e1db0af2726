// N workers add their parts of an integral to a sum, each in one section: N! traces. Albert et al.
// 2017, table 2, and 2023, table 1.
#include <assert.h>
#include <pthread.h>

#include "section.h"

#ifndef N
#define N 5
#endif
enum { steps = 4 };  // of each worker

static section s;
static double sum;

static void* work(void* self) {
  double part = 0;
  for (int k = 0; k < steps; ++k) {
    const double x = ((double)((long)self * steps + k) + 0.5) / (N * steps);
    part += 4 / (1 + x * x);
  }
  section_begin(&s);
  sum += part / (N * steps);
  section_end(&s);
  return 0;
}

int main(void) {
  section_init(&s);
  pthread_t threads[N];
  for (long i = 0; i < N; ++i) pthread_create(&threads[i], 0, work, (void*)i);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
  assert(sum > 3.1 && sum < 3.2);
}
