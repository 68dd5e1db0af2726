// Two threads write one variable each and read the other's. Under sequential consistency, at least
// one of them sees what the other wrote: 0 does not come out.
// expect: verified
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int seen_x, seen_y;

void *first(void *unused) {
  atomic_store(&x, 1);
  seen_y = atomic_load(&y);
  return unused;
}

void *second(void *unused) {
  atomic_store(&y, 1);
  seen_x = atomic_load(&x);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  heddle_outcome((unsigned)(10 * seen_x + seen_y));
  return 0;
}
