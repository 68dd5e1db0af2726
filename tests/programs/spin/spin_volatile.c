// A loop that reads a volatile flag, as in older programs.
// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static volatile int ready, seen;
static long data;

static void* produce(void* unused) {
  data = 1;
  ready = 1;
  while (!seen) sched_yield();
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, produce, 0);
  while (!ready) usleep(10);
  assert(data == 1);
  seen = 1;
  pthread_join(a, 0);
}
