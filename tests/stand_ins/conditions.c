// Conditions: limits of time, mutexes of each type, and those that are not held.
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

#include "show.h"

static const struct timespec past = {1, 0}, negative = {-1, 0};
static const struct timespec wrong[] = {{1, 1000000000}, {1, -1}, {2000000000, 1500000000}};
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void* is_free(void* m) {
  SHOW_ERROR(pthread_mutex_trylock((pthread_mutex_t*)m));
  return 0;
}
static void show_free(pthread_mutex_t* m) {
  pthread_t t;
  pthread_create(&t, 0, is_free, m);
  pthread_join(t, 0);
}

static void wait_in_vain(pthread_mutex_t* m) {
  SHOW_ERROR(pthread_cond_timedwait(&c, m, &past));
  SHOW_ERROR(pthread_cond_timedwait(&c, m, &negative));
  for (int k = 0; k < 3; ++k) {
    SHOW_ERROR(pthread_cond_timedwait(&c, m, &wrong[k]));
    SHOW_ERROR(pthread_cond_clockwait(&c, m, CLOCK_MONOTONIC, &wrong[k]));
  }
  SHOW_ERROR(pthread_cond_clockwait(&c, m, CLOCK_MONOTONIC, &past));
  SHOW_ERROR(pthread_cond_clockwait(&c, m, CLOCK_PROCESS_CPUTIME_ID, &past));
}

int main(void) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  SHOW_ERROR(pthread_cond_signal(&c));
  SHOW_ERROR(pthread_cond_broadcast(&c));
  pthread_mutex_lock(&m);
  wait_in_vain(&m);
  SHOW_ERROR(pthread_mutex_unlock(&m));
  // Not held: the mutexes that know say so.
  SHOW_ERROR(pthread_cond_timedwait(&c, &checking, &past));
  SHOW_ERROR(pthread_cond_timedwait(&c, &recursive, &past));
  SHOW_ERROR(pthread_cond_wait(&c, &checking));
  SHOW_ERROR(pthread_cond_wait(&c, &recursive));
  pthread_mutex_lock(&checking);
  wait_in_vain(&checking);
  SHOW_ERROR(pthread_mutex_unlock(&checking));
  // Held twice: one level is released, and the thread has it still.
  pthread_mutex_lock(&recursive);
  pthread_mutex_lock(&recursive);
  wait_in_vain(&recursive);
  show_free(&recursive);
  SHOW_ERROR(pthread_mutex_unlock(&recursive));
  show_free(&recursive);
  SHOW_ERROR(pthread_mutex_unlock(&recursive));
  SHOW_ERROR(pthread_mutex_unlock(&recursive));
  SHOW_ERROR(pthread_cond_destroy(&c));
  SHOW_ERROR(pthread_cond_init(&c, 0));
  SHOW_ERROR(pthread_cond_signal(&c));
  pthread_condattr_t a;
  pthread_condattr_init(&a);
  SHOW_ERROR(pthread_condattr_setclock(&a, CLOCK_MONOTONIC));
  SHOW_ERROR(pthread_condattr_setclock(&a, CLOCK_PROCESS_CPUTIME_ID));
  return 0;
}
