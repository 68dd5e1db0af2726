// No thread sees the order of the two atomic stores: a plain write comes before the plain read.
// expect: verified optimal=2 observers=1
#include <assert.h>
#include <pthread.h>

static int x;

static void* store(void* value) {
  __atomic_store_n(&x, value == &x ? 1 : 2, __ATOMIC_RELAXED);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, store, &x);
  pthread_create(&two, 0, store, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  x = 3;
  assert(x == 3);
}
