// The numbers come from one sequence: who gets the first depends on the order.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static long other;

static void* work(void* unused) {
  other = random();
  return unused;
}

int main(void) {
  pthread_t a;
  srandom(1);
  long first = random();
  srandom(1);
  pthread_create(&a, 0, work, 0);
  random();
  pthread_join(a, 0);
  assert(other != first);  // here
}
