// With main they are 65: the run does not count, and nothing is verified.
// expect: incomplete more than 64 threads
#include <pthread.h>

static void* work(void* unused) { return unused; }

int main(void) {
  pthread_t threads[64];
  for (int i = 0; i < 64; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 64; ++i) pthread_join(threads[i], 0);
}
