// A function that is called by pointer may be looked at: the serial one is each of two, in turn.
// expect: verified optimal=2 observers=2
#define _XOPEN_SOURCE 700
#include <pthread.h>

static pthread_barrier_t barrier;
static int (*volatile wait)(pthread_barrier_t*) = pthread_barrier_wait;

static void* work(void* unused) {
  wait(&barrier);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_barrier_init(&barrier, 0, 2);
  int (*mine)(pthread_barrier_t*) = wait;
  pthread_create(&a, 0, work, 0);
  mine(&barrier);
  pthread_join(a, 0);
}
