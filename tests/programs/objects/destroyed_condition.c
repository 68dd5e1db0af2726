// expect: finding lock-misuse line here
// It is used after it was destroyed.
#include <pthread.h>
#include <semaphore.h>

int main(void) {
  pthread_cond_t object;
  pthread_cond_init(&object, 0);
  pthread_cond_destroy(&object);
  pthread_cond_signal(&object);  // here
  return 0;
}
