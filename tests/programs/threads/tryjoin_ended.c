// The other way round: a thread can have ended as soon as it did what it does last.
// expect: finding assertion line here
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void* set(void* unused) {
  done = 1;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, set, NULL);
  while (!done) {
  }
  assert(pthread_tryjoin_np(t, NULL) == EBUSY);  // here
}
