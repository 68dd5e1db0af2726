// A loop that spins a few times before it yields: what it counts up to a bound is a state of its
// own, and then it waits.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int ready;

static void* set(void* unused) {
  atomic_store(&ready, 1);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, set, 0);
  int tries = 0;
  while (!atomic_load(&ready)) {
    if (tries < 3)
      ++tries;
    else
      sched_yield();
  }
  assert(tries <= 3);
  pthread_join(a, 0);
}
