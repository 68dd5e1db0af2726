// expect: finding lock-misuse line here
// It is used after it was destroyed.
#include <pthread.h>
#include <semaphore.h>

int main(void) {
  pthread_barrier_t object;
  pthread_barrier_init(&object, 0, 1);
  pthread_barrier_destroy(&object);
  pthread_barrier_wait(&object);  // here
  return 0;
}
