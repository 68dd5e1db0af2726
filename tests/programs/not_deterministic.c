// Where it writes depends on the time.
// expect: finding nondeterminism
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x[4096];

static void* work(void* unused) {
  for (int i = 0; i < 4; ++i) atomic_store(&x[(__builtin_ia32_rdtsc() >> 4) % 4096], 1);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
}
