// The thread waits for what main holds, so main's join can only time out, deep in calls that have
// been made since main last had to wait.
// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t here;

static void* work(void* unused) {
  sem_post(&here);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

static int join_in(pthread_t thread, int depth) {
  char frame[256];
  memset(frame, depth, sizeof frame);
  int result;
  if (depth > 0) {
    result = join_in(thread, depth - 1);
  } else {
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 1;
    result = pthread_timedjoin_np(thread, NULL, &limit);
  }
  for (unsigned k = 0; k < sizeof frame; ++k) assert(frame[k] == depth);
  return result;
}

int main(void) {
  pthread_t thread;
  sem_init(&here, 0, 0);
  pthread_mutex_lock(&lock);
  pthread_create(&thread, NULL, work, NULL);
  sem_wait(&here);
  assert(join_in(thread, 40) == ETIMEDOUT);
  pthread_mutex_unlock(&lock);
  assert(pthread_join(thread, NULL) == 0);
}
