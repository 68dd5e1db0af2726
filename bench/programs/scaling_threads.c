// How the time of a run depends on the number of threads: twelve races of two threads, so that
// there are 4096 runs, and 240 further steps, which meet no other and are those of N other threads
// together.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
enum { races = 12, steps = 240 };

static atomic_int shared[races], own[N];

static void* race(void* self) {
  for (int i = 0; i < races; ++i) {
    if (self == 0)
      atomic_store(&shared[i], 1);
    else
      atomic_load(&shared[i]);
  }
  return 0;
}
static void* step(void* self) {
  const long me = (long)self;
  for (int i = 0; i < steps / N; ++i) atomic_fetch_add(&own[me], 1);
  return 0;
}

int main(void) {
  pthread_t threads[N + 2];
  for (long i = 0; i < N; ++i) pthread_create(&threads[i], 0, step, (void*)i);
  for (long i = 0; i < 2; ++i) pthread_create(&threads[N + i], 0, race, (void*)i);
  for (int i = 0; i < N + 2; ++i) pthread_join(threads[i], 0);
}
