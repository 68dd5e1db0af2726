// A loop that waits for the end of a thread needs no bound.
// expect: verified optimal=1 observers=1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

static int value;

static void* set(void* unused) {
  value = 3;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, set, NULL);
  while (pthread_tryjoin_np(t, NULL) == EBUSY) sched_yield();
  assert(value == 3);
}
