// Where time-outs are explored, the thread may be slow.
// expect: finding assertion line here
// options: --timeouts explore
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

static void* nothing(void* unused) { return unused; }

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, nothing, NULL);
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 1;
  assert(pthread_timedjoin_np(t, NULL, &limit) == 0);  // here
}
