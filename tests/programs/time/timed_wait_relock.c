// expect: finding deadlock
// options: --timeouts explore
// The limit of a wait on a condition is none of the lock that comes after it.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void* wait(void* p) {
  struct timespec late;
  clock_gettime(CLOCK_REALTIME, &late);
  ++late.tv_sec;
  pthread_mutex_lock(&mutex);
  pthread_cond_timedwait(&condition, &mutex, &late);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait, 0);
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&condition);
  pthread_join(t, 0);
  return 0;
}
