// Each of four threads comes to a barrier for two: who meets whom is open, and so is who of each two
// is the serial one.
// expect: verified optimal=24 observers=24
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int serial[4];

static void* look(void* which) {
  *(int*)which = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  return 0;
}

int main(void) {
  pthread_t t[4];
  int sum = 0;
  pthread_barrier_init(&barrier, 0, 2);
  for (int k = 0; k < 4; ++k) pthread_create(&t[k], 0, look, &serial[k]);
  for (int k = 0; k < 4; ++k) {
    pthread_join(t[k], 0);
    sum += serial[k];
  }
  assert(sum == 2);
}
