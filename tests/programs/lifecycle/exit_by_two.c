// Two threads exit: who comes first decides about the status, and the other is left out.
// expect: finding exit
#include <pthread.h>
#include <stdlib.h>

static int called;
static void once(void) {
  if (++called > 1) abort();
}

static void* work(void* unused) {
  (void)unused;
  exit(2);
}

int main(void) {
  pthread_t a;
  atexit(once);
  pthread_create(&a, 0, work, 0);
  exit(0);
}
