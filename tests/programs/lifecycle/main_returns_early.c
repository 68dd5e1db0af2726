// Main does not wait for the detached thread, which is to be told.
// expect: verified
// expect: warning main returns while
// runs: one
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x;

static void* work(void* unused) {
  atomic_store(&x, 1);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_detach(a);
}
