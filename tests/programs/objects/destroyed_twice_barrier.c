// expect: finding lock-misuse line here
// It is destroyed twice.
#include <pthread.h>
#include <semaphore.h>

static pthread_barrier_t object;

int main(void) {
  for (int k = 0; k < 2; ++k) {
    pthread_barrier_init(&object, 0, 1);
    pthread_barrier_destroy(&object);
  }
  pthread_barrier_destroy(&object);  // here
  return 0;
}
