// What the last round has read is used after the loop.
// expect: finding assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static void *writer(void *unused) {
  x = 1;
  x = 2;
  x = 3;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  int seen;
  for (int i = 0;; ++i) {
    seen = x;
    if (seen == 3) break;
    if (i == 5) break;
  }
  assert(seen != 2);
  pthread_join(t, 0);
}
