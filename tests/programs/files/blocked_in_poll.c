// A thread blocks in the system, where no thread can wake it: no finding, but nothing to explore.
// expect: misuse thread 1 is blocked in poll
// runs: one
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* work(void* unused) {
  if (atomic_load(&x) == 1) poll(0, 0, -1);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  atomic_store(&x, 1);
  pthread_join(a, 0);
}
