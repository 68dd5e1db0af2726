// Main ends by pthread_exit: the last thread to end exits, and calls what was registered.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done;
static void at_exit(void) {
  assert(!done);  // here
}

static void* work(void* unused) {
  done = 1;
  return unused;
}

int main(void) {
  pthread_t a;
  atexit(at_exit);
  pthread_create(&a, 0, work, 0);
  pthread_detach(a);
  pthread_exit(0);
}
