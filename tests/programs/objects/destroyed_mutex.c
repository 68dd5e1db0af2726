// expect: finding lock-misuse line here
// It is used after it was destroyed.
#include <pthread.h>
#include <semaphore.h>

int main(void) {
  pthread_mutex_t object;
  pthread_mutex_init(&object, 0);
  pthread_mutex_destroy(&object);
  pthread_mutex_trylock(&object);  // here
  return 0;
}
