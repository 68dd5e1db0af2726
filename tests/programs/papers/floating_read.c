// N writers of one variable, and a reader at any time: (N + 1)! traces, N * 2^(N - 1) + 1 with
// observers.
// expect: verified optimal=120 observers=33
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_long x;

static void* writer(void* value) {
  atomic_store(&x, (long)value);
  return 0;
}
static void* reader(void* unused) {
  (void)unused;
  return (void*)atomic_load(&x);
}

int main(void) {
  pthread_t threads[N + 1];
  for (long i = 0; i < N; ++i) pthread_create(&threads[i], 0, writer, (void*)(i + 1));
  pthread_create(&threads[N], 0, reader, 0);
  for (int i = 0; i <= N; ++i) pthread_join(threads[i], 0);
}
