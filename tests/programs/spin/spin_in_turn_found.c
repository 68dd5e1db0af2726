// A loop that looks at two variables in turn. It can find the second one first.
// expect: finding assertion line here
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
  assert(at == 0);  // here
  pthread_join(a, 0);
  pthread_join(b, 0);
}
