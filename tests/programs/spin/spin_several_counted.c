// The same with a counter, in nested loops, of which the inner one begins where the outer one does.
// expect: verified optimal=1 observers=1
#include <pthread.h>
#include <stdatomic.h>

enum { count = 2 };
static atomic_int ready[count];

static void* set(void* which) {
  atomic_store((atomic_int*)which, 1);
  return 0;
}

int main(void) {
  pthread_t threads[count];
  for (int k = 0; k < count; ++k) pthread_create(&threads[k], 0, set, &ready[k]);
  int set_now, k;
again:
  set_now = k = 0;
  for (; k < count; ++k) set_now += atomic_load(&ready[k]);
  if (set_now < count) goto again;
  for (k = 0; k < count; ++k) pthread_join(threads[k], 0);
}
