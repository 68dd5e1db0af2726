// Functions for exit are registered on the way, and one of them registers another: they run in every
// run.
// expect: verified optimal=6 observers=6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int x;
static int called;

static void first(void) { _exit(called != 1234); }  // without it, the status is that of main
static void fourth(void) { called = called * 10 + 4; }
static void third(void) {
  called = called * 10 + 3;
  atexit(fourth);
}
static void second(void) { called = called * 10 + 2; }
static void zeroth(void) { called = called * 10 + 1; }

static void* worker(void* unused) {
  (void)unused;
  atomic_fetch_add(&x, 1);
  atomic_fetch_add(&x, 1);
  return 0;
}

int main(void) {
  atexit(first);
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  atexit(third);
  atomic_fetch_add(&x, 1);
  atexit(second);
  atomic_fetch_add(&x, 1);
  atexit(zeroth);
  pthread_join(a, 0);
  return 1;
}
