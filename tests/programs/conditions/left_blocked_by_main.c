// Main returns with a mutex locked that another thread waits for: no harm is done.
// expect: verified
// expect: warning they continued as far as they could
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  pthread_mutex_lock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_mutex_lock(&mutex);
  pthread_create(&a, 0, work, 0);
  pthread_detach(a);
}
