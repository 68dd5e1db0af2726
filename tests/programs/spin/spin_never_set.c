// No thread ever sets the flag.
// expect: finding livelock
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, other;

static void* set(void* unused) {
  atomic_store(&other, 1);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, set, 0);
  while (!atomic_load(&ready)) {
  }
  pthread_join(a, 0);
}
