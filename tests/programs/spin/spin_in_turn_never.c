// A loop that looks at three variables in turn, none of which is ever set.
// expect: finding livelock
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready[3], other;

static void* set(void* unused) {
  atomic_store(&other, 1);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, set, 0);
  int at = 0;
  while (!atomic_load(&ready[at])) at = (at + 1) % 3;
  pthread_join(a, 0);
}
