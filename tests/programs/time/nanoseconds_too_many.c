// expect: finding assertion line here
// A second has less than 1,000,000,000 nanoseconds: the classic sum without a carry is no time.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_nsec = 1500000000;
  pthread_mutex_lock(&mutex);
  assert(pthread_cond_timedwait(&condition, &mutex, &t) == ETIMEDOUT);  // here
  pthread_mutex_unlock(&mutex);
  return 0;
}
