// expect: finding lock-misuse line here
// It is used after it was destroyed.
#include <pthread.h>
#include <semaphore.h>

int main(void) {
  pthread_spinlock_t object;
  pthread_spin_init(&object, 0);
  pthread_spin_destroy(&object);
  pthread_spin_trylock(&object);  // here
  return 0;
}
