// A detached thread waits for a lock whose holder has ended.
// expect: finding deadlock
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* unused) {
  pthread_mutex_lock(&mutex);
  return unused;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, work, 0);
  pthread_create(&t, 0, work, 0);
  pthread_detach(s);
  pthread_detach(t);
}
