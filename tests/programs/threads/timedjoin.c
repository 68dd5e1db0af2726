// A join that has a time limit is over when the thread has ended, or when nothing else can happen.
// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t go;
static int value;

static void* wait_and_set(void* unused) {
  sem_wait(&go);
  value = 3;
  return unused;
}

int main(void) {
  pthread_t t;
  sem_init(&go, 0, 0);
  pthread_create(&t, NULL, wait_and_set, NULL);
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 1;
  assert(pthread_timedjoin_np(t, NULL, &limit) == ETIMEDOUT);
  sem_post(&go);
  limit.tv_sec += 1;
  assert(pthread_clockjoin_np(t, NULL, CLOCK_REALTIME, &limit) == 0);
  assert(value == 3);
}
