// Where time limits are explored, time can run out while another holds the mutex.
// options: --timeouts=explore
// expect: finding assertion line here
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* take(void* unused) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 1;
  assert(pthread_mutex_timedlock(&m, &until) == 0);  // here
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, take, 0);
  pthread_create(&b, 0, take, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
