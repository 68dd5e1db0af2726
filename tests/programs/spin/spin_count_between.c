// A round reads twice, and others come in between.
// expect: finding assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static void *writer(void *unused) {
  x = 1;
  y = 1;
  x = 0;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  int both = 0;
  for (int i = 0; i < 3; ++i) {
    int a = y, b = x;
    if (!a && b) {
      both = 1;
      break;
    }
  }
  assert(!both);
  pthread_join(t, 0);
}
