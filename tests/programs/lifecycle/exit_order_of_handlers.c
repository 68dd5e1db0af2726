// Two threads register a function for exit each, in either order.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int called;
static void first(void) {
  assert(called == 0);  // here
  ++called;
}
static void second(void) { ++called; }

static void* work(void* unused) {
  atexit(first);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  atexit(second);
  pthread_join(a, 0);
}
