// A loop that goes round three times, and is left by what is read in one round or another: whether a
// count is asked depends on what was read. Left by neither if another thread writes between two rounds.
// expect: finding assertion line 29
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x = 1;

static void* increment(void* unused) {
  x++;
  return unused;
}

static int wait(void) {
  for (int i = 0; i < 3; ++i) {
    int seen = x;
    if (seen == 2 && i == 0) return 1;
    if (seen == 1 && i == 1) return 2;
  }
  return 3;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, increment, 0);
  int how = wait();
  pthread_join(t, 0);
  assert(how != 3);
}
