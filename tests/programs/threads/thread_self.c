// A thread knows itself by the name that its creator knows it by, before and after a switch.
// expect: verified optimal=2 observers=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x;

static void* work(void* at) {
  *(pthread_t*)at = pthread_self();
  atomic_fetch_add(&x, 1);
  assert(pthread_equal(*(pthread_t*)at, pthread_self()));
  return 0;
}

int main(void) {
  pthread_t a, b, self_a, self_b;
  pthread_create(&a, 0, work, &self_a);
  pthread_create(&b, 0, work, &self_b);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(pthread_equal(a, self_a) && pthread_equal(b, self_b) && !pthread_equal(self_a, self_b));
  assert(!pthread_equal(pthread_self(), self_a) && !pthread_equal(pthread_self(), self_b));
}
