// Whether a thread has ended can be seen: what it did is seen by a thread that learned so.
// expect: verified optimal=2 observers=2
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>

static int value;

static void* set(void* unused) {
  (void)unused;
  value = 3;
  return (void*)(intptr_t)7;
}

int main(void) {
  pthread_t t;
  void* result = 0;
  pthread_create(&t, NULL, set, NULL);
  const int error = pthread_tryjoin_np(t, &result);
  assert(error == 0 || error == EBUSY);
  if (error == EBUSY) pthread_join(t, &result);
  assert(value == 3 && (intptr_t)result == 7);
}
