// A loop that looks at two variables in turn: it comes back to the same state after two rounds. Both
// are set, and it finds the one or the other.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready[2];

static void* set(void* which) {
  atomic_store((atomic_int*)which, 1);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, set, &ready[0]);
  pthread_create(&b, 0, set, &ready[1]);
  int at = 0;
  while (!atomic_load(&ready[at])) at = 1 - at;
  assert(at == 0 || at == 1);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
