// expect: finding lock-misuse line here
// It is used after it was destroyed.
#include <pthread.h>
#include <semaphore.h>

int main(void) {
  sem_t object;
  sem_init(&object, 0, 0);
  sem_destroy(&object);
  sem_post(&object);  // here
  return 0;
}
