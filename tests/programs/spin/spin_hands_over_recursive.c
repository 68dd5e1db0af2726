// A thread polls, and lets go of two mutexes in each round, one of which it holds twice, and takes
// them again in the same order.
// expect: verified optimal=2 observers=2
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, n = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void take(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
}

static void give(void) {
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&n);
}

static void* produce(void* unused) {
  take();
  ready = 1;
  give();
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, produce, 0);
  take();
  while (!ready) {
    give();
    sched_yield();
    take();
  }
  give();
  assert(ready);
  pthread_join(a, 0);
}
