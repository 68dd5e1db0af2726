// The number of rounds is used after the loop.
// expect: finding assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static void *writer(void *unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  int i;
  for (i = 0; i < 4; ++i)
    if (x) break;
  assert(i != 2);
  pthread_join(t, 0);
}
