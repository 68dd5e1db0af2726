// What is read from the kernel is different each time, and so is what the program does.
// expect: finding nondeterminism
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_long x, y;

static void* work(void* unused) {
  atomic_store(&y, 2);
  return unused;
}

int main(void) {
  pthread_t a;
  unsigned random = 0;
  FILE* file = fopen("/dev/urandom", "rb");
  if (fread(&random, sizeof random, 1, file) != 1) return 0;
  fclose(file);
  pthread_create(&a, 0, work, 0);
  for (int bit = 0; bit < 32; ++bit) {
    if (random >> bit & 1)
      atomic_store(&x, bit);
    else
      atomic_load(&x);
  }
  const long seen = atomic_load(&y);
  pthread_join(a, 0);
  return seen > 2;
}
