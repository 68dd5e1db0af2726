// The order of two atomic stores decides the exit status, by way of a function for exit.
// expect: finding exit
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int x;

static void check(void) {
  if (x == 1) _exit(3);
}

static void* store(void* value) {
  __atomic_store_n(&x, value == &x ? 1 : 2, __ATOMIC_RELAXED);
  return 0;
}

int main(void) {
  pthread_t one, two;
  atexit(check);
  pthread_create(&one, 0, store, &x);
  pthread_create(&two, 0, store, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
