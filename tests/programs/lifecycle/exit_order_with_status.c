// on_exit and atexit have one order.
// expect: finding assertion line here
#define _DEFAULT_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int called;
static void with_status(int status, void* argument) {
  assert(status == 0 && argument == &called);
  ++called;
}
static void plain(void) { assert(called == 1); }  // here

static void* work(void* unused) {
  on_exit(with_status, &called);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  atexit(plain);
  pthread_join(a, 0);
}
