// How the time of a run depends on the number of its events: twelve races of two threads, so that
// there are 4096 runs, and N further steps of each thread, which meet no other.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 10
#endif
enum { races = 12 };

static atomic_int shared[races], own[2];

static void* work(void* self) {
  const long me = (long)self;
  for (int i = 0; i < N; ++i) atomic_fetch_add(&own[me], 1);
  for (int i = 0; i < races; ++i) {
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
