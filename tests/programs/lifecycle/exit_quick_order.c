// Two threads register for quick_exit.
// expect: finding exit
#include <pthread.h>
#include <stdlib.h>

static int called;
static void first(void) { called = 1; }
static void second(void) {
  if (!called) _Exit(4);
}

static void* work(void* unused) {
  at_quick_exit(first);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  at_quick_exit(second);
  pthread_join(a, 0);
  quick_exit(0);
}
