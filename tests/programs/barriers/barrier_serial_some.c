// Of three threads at a barrier, two look who is the serial one: the first, the second or neither.
// expect: verified optimal=3 observers=3
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int serial[2];

static void* look(void* which) {
  *(int*)which = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&barrier, 0, 3);
  pthread_create(&a, 0, look, &serial[0]);
  pthread_create(&b, 0, look, &serial[1]);
  pthread_barrier_wait(&barrier);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(serial[0] + serial[1] <= 1);
}
