// How the time of a run depends on the number of its races: N of two threads, so that there are 2^N
// runs, and further steps, which meet no other, up to 64 of each thread.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif
enum { steps = 64 };

static atomic_int shared[N], own[2];

static void* work(void* self) {
  const long me = (long)self;
  for (int i = N; i < steps; ++i) atomic_fetch_add(&own[me], 1);
  for (int i = 0; i < N; ++i) {
    if (me == 0)
      atomic_store(&shared[i], 1);
    else
      atomic_load(&shared[i]);
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
}
