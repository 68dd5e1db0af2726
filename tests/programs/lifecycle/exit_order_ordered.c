// Each thread registers when the other has: one order.
// expect: verified optimal=1 observers=1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int called;
static void last(void) { assert(called == 1); }
static void first(void) { ++called; }

static void* work(void* unused) {
  atexit(first);
  return unused;
}

int main(void) {
  pthread_t a;
  atexit(last);
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
}
