// expect: finding lock-misuse line here
// It is destroyed twice.
#include <pthread.h>
#include <semaphore.h>

static pthread_cond_t object;

int main(void) {
  for (int k = 0; k < 2; ++k) {
    pthread_cond_init(&object, 0);
    pthread_cond_destroy(&object);
  }
  pthread_cond_destroy(&object);  // here
  return 0;
}
