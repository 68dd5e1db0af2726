// expect: finding lock-misuse line here
// It is destroyed twice.
#include <pthread.h>
#include <semaphore.h>

static sem_t object;

int main(void) {
  for (int k = 0; k < 2; ++k) {
    sem_init(&object, 0, 0);
    sem_destroy(&object);
  }
  sem_destroy(&object);  // here
  return 0;
}
