// expect: misuse shared between processes
#include <pthread.h>

int main(void) {
  pthread_mutex_t mutex;
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&mutex, &a);
  return 0;
}
