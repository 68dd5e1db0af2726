// expect: finding lock-misuse line here
// It is used after it was destroyed.
#include <pthread.h>
#include <semaphore.h>

int main(void) {
  pthread_rwlock_t object;
  pthread_rwlock_init(&object, 0);
  pthread_rwlock_destroy(&object);
  pthread_rwlock_wrlock(&object);  // here
  return 0;
}
