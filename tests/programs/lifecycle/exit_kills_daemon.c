// When main returns, the process ends: that a thread would continue for ever does not matter.
// expect: verified
// options: --main-exit kill
// expect: limit thread 1 is still running at
// runs: one
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int beats;

static void* beat(void* unused) {
  for (;;) {
    atomic_fetch_add(&beats, 1);
    usleep(1000);
  }
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, beat, 0);
  pthread_detach(a);
  return atomic_load(&beats) < 0;
}
