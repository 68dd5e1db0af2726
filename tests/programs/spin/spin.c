// A loop that only reads is left as soon as it can be, and never runs endlessly.
// expect: verified
#include <pthread.h>
#include <stdatomic.h>

static atomic_long ready;

static void* set(void* unused) {
  atomic_store(&ready, 1);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, set, 0);
  while (!atomic_load(&ready)) {
  }
  pthread_join(a, 0);
}
