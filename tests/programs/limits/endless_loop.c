// A loop that changes something in each round is no waiting, and has no end.
// options: --max-steps 500
// expect: finding endless
// expect: incomplete step
// runs: one
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop, rounds;

static void* set(void* unused) {
  atomic_store(&stop, 1);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, set, 0);
  while (!atomic_load(&stop)) atomic_fetch_add(&rounds, 1);
  pthread_join(a, 0);
}
