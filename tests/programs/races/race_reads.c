// Any number of threads may read what no thread writes.
// expect: verified optimal=1 observers=1
#include <assert.h>
#include <pthread.h>

static long x;

static void* look(void* unused) {
  assert(x == 5);
  return unused;
}

int main(void) {
  pthread_t a, b;
  x = 5;
  pthread_create(&a, 0, look, 0);
  pthread_create(&b, 0, look, 0);
  assert(x == 5);
  pthread_join(a, 0);
  pthread_join(b, 0);
  x = 6;
}
