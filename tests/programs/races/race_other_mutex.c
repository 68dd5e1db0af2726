// Each thread takes a mutex, but not the same.
// expect: finding data-race line here
#include <pthread.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
long x;

static void* add(void* mutex) {
  pthread_mutex_lock(mutex);
  x = x + 1;  // here
  pthread_mutex_unlock(mutex);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, &mutexes[0]);
  pthread_create(&b, 0, add, &mutexes[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
