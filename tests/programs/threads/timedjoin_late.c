// The thread waits for ever; who thinks that a join with a time limit always succeeds is wrong.
// expect: finding assertion line here
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t go;

static void* wait_for_it(void* unused) {
  sem_wait(&go);
  return unused;
}

int main(void) {
  pthread_t t;
  sem_init(&go, 0, 0);
  pthread_create(&t, NULL, wait_for_it, NULL);
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 1;
  assert(pthread_timedjoin_np(t, NULL, &limit) == 0);  // here
}
