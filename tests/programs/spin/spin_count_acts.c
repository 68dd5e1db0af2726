// Rounds that come back do something.
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
  int n = 0;
  for (int i = 0; i < 4; ++i)
    if (x) ++n, y = n;
  assert(y != 2);
  pthread_join(t, 0);
}
