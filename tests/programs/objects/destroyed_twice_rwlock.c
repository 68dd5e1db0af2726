// expect: finding lock-misuse line here
// It is destroyed twice.
#include <pthread.h>
#include <semaphore.h>

static pthread_rwlock_t object;

int main(void) {
  for (int k = 0; k < 2; ++k) {
    pthread_rwlock_init(&object, 0);
    pthread_rwlock_destroy(&object);
  }
  pthread_rwlock_destroy(&object);  // here
  return 0;
}
