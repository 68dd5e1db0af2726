// Three critical sections, in any order.
// expect: verified optimal=6 observers=6
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long x;

static void* add(void* unused) {
  (void)unused;
  pthread_mutex_lock(&m);
  x = x + 1;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(x == 3);
}
