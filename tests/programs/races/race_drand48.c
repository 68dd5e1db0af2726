// drand48 has a state that all threads share, and no lock.
// expect: finding data-race
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <stdlib.h>

static void* work(void* unused) {
  drand48();
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  lrand48();
  pthread_join(a, 0);
}
