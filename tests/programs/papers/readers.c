// A writer and N readers: 2^N traces.
// expect: verified optimal=64 observers=64
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 6
#endif

static atomic_long x;

static void* write_it(void* unused) {
  (void)unused;
  atomic_store(&x, 1);
  return 0;
}
static void* read_it(void* unused) {
  (void)unused;
  return (void*)atomic_load(&x);
}

int main(void) {
  pthread_t threads[N + 1];
  pthread_create(&threads[0], 0, write_it, 0);
  for (int i = 1; i <= N; ++i) pthread_create(&threads[i], 0, read_it, 0);
  for (int i = 0; i <= N; ++i) pthread_join(threads[i], 0);
}
