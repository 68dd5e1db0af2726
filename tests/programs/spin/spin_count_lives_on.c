// How often it looked is used later: each number of rounds is a run of its own.
// expect: verified optimal=6 observers=6
// expect: limit polling loops are explored round by round, because their counters are used later
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready;
int looked;

void* other(void* unused) {
  ready = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  int rounds = 0;
  while (rounds < 5 && !ready) ++rounds;
  looked = rounds;
  pthread_join(t, 0);
  assert(looked <= 5);
}
