// Where it writes depends on the time.
// expect: finding nondeterminism
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x[4096];

static unsigned now(void) {
  unsigned low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return low;
}

static void* work(void* unused) {
  for (int i = 0; i < 4; ++i) atomic_store(&x[(now() >> 4) % 4096], 1);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
}
