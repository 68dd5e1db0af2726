// expect: verified
// A barrier may be destroyed, and freed, by a thread that leaves it first.
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t* barrier;

static void* meet(void* p) {
  pthread_barrier_t* b = barrier;
  if (pthread_barrier_wait(b) == PTHREAD_BARRIER_SERIAL_THREAD) {
    pthread_barrier_destroy(b);
    free(b);
  }
  return 0;
}

int main(void) {
  pthread_t t;
  barrier = malloc(sizeof *barrier);
  pthread_barrier_init(barrier, 0, 2);
  pthread_create(&t, 0, meet, 0);
  meet(0);
  pthread_join(t, 0);
  return 0;
}
