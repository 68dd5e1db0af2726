// expect: finding lock-misuse or data-race
// A condition is destroyed while a thread may wait on it.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void* wait(void* p) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait, 0);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  pthread_cond_destroy(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, 0);
  return 0;
}
