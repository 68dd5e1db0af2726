// expect: misuse robust mutexes
#include <pthread.h>

int main(void) {
  pthread_mutex_t mutex;
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &a);
  return 0;
}
