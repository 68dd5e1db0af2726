// expect: finding lock-misuse line here
// It is destroyed twice.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t object;

int main(void) {
  for (int k = 0; k < 2; ++k) {
    pthread_mutex_init(&object, 0);
    pthread_mutex_destroy(&object);
  }
  pthread_mutex_destroy(&object);  // here
  return 0;
}
