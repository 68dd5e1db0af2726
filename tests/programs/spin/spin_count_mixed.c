// It matters in which round something is read.
// expect: finding assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static void *writer(void *unused) {
  x = 2;
  x = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  for (int i = 0; i < 3; ++i) {
    int seen = x;
    if (seen == 2 && i == 0) assert(!y);
    if (seen == 1 && i == 2) assert(0);
  }
  pthread_join(t, 0);
}
