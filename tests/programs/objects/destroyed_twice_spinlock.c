// expect: finding lock-misuse line here
// It is destroyed twice.
#include <pthread.h>
#include <semaphore.h>

static pthread_spinlock_t object;

int main(void) {
  for (int k = 0; k < 2; ++k) {
    pthread_spin_init(&object, 0);
    pthread_spin_destroy(&object);
  }
  pthread_spin_destroy(&object);  // here
  return 0;
}
