// Any of the threads at a barrier can be the serial one.
// expect: finding assertion line here
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static long serial = -1;

static void* work(void* index) {
  if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) serial = (long)index;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&barrier, 0, 3);
  pthread_create(&a, 0, work, (void*)1);
  pthread_create(&b, 0, work, (void*)2);
  work((void*)0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(serial != 2);  // here
}
