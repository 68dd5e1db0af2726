// A limit that is over is looked at only if the thread has not ended: both can be.
// expect: verified optimal=2 observers=2
// allow: time limit
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static void* nothing(void* unused) { return unused; }

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, nothing, NULL);
  const struct timespec long_ago = {1, 0};
  const int error = pthread_timedjoin_np(t, NULL, &long_ago);
  assert(error == 0 || error == ETIMEDOUT);
  if (error != 0) pthread_join(t, NULL);
}
