// What was written before a barrier is seen behind it; one of the threads is the serial one.
// expect: verified optimal=2 observers=2
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static long seen[2], serial[2];

static void* work(void* index) {
  long i = (long)index;
  seen[i] = 1;
  serial[i] = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  assert(seen[1 - i] == 1);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&a, 0, work, (void*)0);
  pthread_create(&b, 0, work, (void*)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(serial[0] + serial[1] == 1);
}
