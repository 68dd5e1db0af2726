// expect: finding lock-misuse line here
// A thread waits on a condition that was destroyed.
#include <pthread.h>

int main(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_cond_destroy(&condition);
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&condition, &mutex);  // here
  return 0;
}
