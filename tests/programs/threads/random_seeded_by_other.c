// A number may come from before the other thread has set the seed, or from after it.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void* work(void* unused) {
  srand(2);
  return unused;
}

int main(void) {
  pthread_t a;
  srand(2);
  int seeded = rand();
  srand(1);
  pthread_create(&a, 0, work, 0);
  int number = rand();
  pthread_join(a, 0);
  assert(number != seeded);  // here
}
