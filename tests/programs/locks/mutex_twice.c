// A thread takes a mutex that it holds already, and waits for itself.
// expect: finding deadlock
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void locked(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
}

int main(void) {
  pthread_mutex_lock(&m);
  locked();
  pthread_mutex_unlock(&m);
}
