// Mutexes of each type: what a thread gets that has the mutex already, or does not have it.
#define _GNU_SOURCE
#include <pthread.h>
#include <threads.h>
#include <time.h>

#include "show.h"

static pthread_mutex_t make(int type) {
  pthread_mutex_t m;
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, type);
  pthread_mutex_init(&m, &a);
  pthread_mutexattr_destroy(&a);
  return m;
}

static const struct timespec past = {1, 0}, negative = {-1, 0};
static const struct timespec wrong[] = {{1, 1000000000}, {1, -1}, {2000000000, 1500000000}};

static void* fail_to_lock(void* mutex) {
  pthread_mutex_t* m = mutex;
  SHOW_ERROR(pthread_mutex_trylock(m));
  SHOW_ERROR(pthread_mutex_timedlock(m, &past));
  SHOW_ERROR(pthread_mutex_timedlock(m, &negative));
  for (int k = 0; k < 3; ++k) {
    SHOW_ERROR(pthread_mutex_timedlock(m, &wrong[k]));
    SHOW_ERROR(pthread_mutex_clocklock(m, CLOCK_MONOTONIC, &wrong[k]));
  }
  SHOW_ERROR(pthread_mutex_clocklock(m, CLOCK_MONOTONIC, &past));
  SHOW_ERROR(pthread_mutex_clocklock(m, CLOCK_PROCESS_CPUTIME_ID, &past));
  SHOW_ERROR(pthread_mutex_clocklock(m, 77, &past));
  return 0;
}

static void try_all(pthread_mutex_t* m, int owned_type) {
  pthread_t t;
  // A free mutex is taken whatever the time.
  SHOW_ERROR(pthread_mutex_timedlock(m, &past));
  SHOW_ERROR(pthread_mutex_unlock(m));
  for (int k = 0; k < 3; ++k) {
    SHOW_ERROR(pthread_mutex_timedlock(m, &wrong[k]));
    SHOW_ERROR(pthread_mutex_unlock(m));
  }
  SHOW_ERROR(pthread_mutex_clocklock(m, CLOCK_MONOTONIC, &wrong[0]));
  SHOW_ERROR(pthread_mutex_unlock(m));
  SHOW_ERROR(pthread_mutex_lock(m));
  SHOW_ERROR(pthread_mutex_trylock(m));
  if (owned_type == PTHREAD_MUTEX_RECURSIVE) SHOW_ERROR(pthread_mutex_unlock(m));
  if (owned_type == PTHREAD_MUTEX_RECURSIVE || owned_type == PTHREAD_MUTEX_ERRORCHECK)
    SHOW_ERROR(pthread_mutex_lock(m));
  if (owned_type == PTHREAD_MUTEX_RECURSIVE) SHOW_ERROR(pthread_mutex_unlock(m));
  SHOW_ERROR(pthread_mutex_timedlock(m, &past));
  if (owned_type == PTHREAD_MUTEX_RECURSIVE) SHOW_ERROR(pthread_mutex_unlock(m));
  SHOW_ERROR(pthread_mutex_timedlock(m, &wrong[0]));
  if (owned_type == PTHREAD_MUTEX_RECURSIVE) SHOW_ERROR(pthread_mutex_unlock(m));
  pthread_create(&t, 0, fail_to_lock, m);
  pthread_join(t, 0);
  SHOW_ERROR(pthread_mutex_unlock(m));
  if (owned_type == PTHREAD_MUTEX_RECURSIVE || owned_type == PTHREAD_MUTEX_ERRORCHECK)
    SHOW_ERROR(pthread_mutex_unlock(m));
  SHOW_ERROR(pthread_mutex_destroy(m));
}

static void* unlock_of_another(void* mutex) {
  SHOW_ERROR(pthread_mutex_unlock((pthread_mutex_t*)mutex));
  return 0;
}

int main(void) {
  const int types[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK,
                       PTHREAD_MUTEX_ADAPTIVE_NP};
  for (int k = 0; k < 4; ++k) {
    pthread_mutex_t m = make(types[k]);
    SHOW_NUMBER(types[k]);
    try_all(&m, types[k]);
  }
  pthread_mutex_t of_two[] = {make(PTHREAD_MUTEX_RECURSIVE), make(PTHREAD_MUTEX_ERRORCHECK)};
  for (int k = 0; k < 2; ++k) {
    pthread_t t;
    pthread_mutex_lock(&of_two[k]);
    pthread_create(&t, 0, unlock_of_another, &of_two[k]);
    pthread_join(t, 0);
    pthread_mutex_unlock(&of_two[k]);
  }
  pthread_mutex_t initialised[] = {PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
                                   PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP,
                                   PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP};
  for (int k = 0; k < 4; ++k) {
    SHOW_ERROR(pthread_mutex_lock(&initialised[k]));
    SHOW_ERROR(pthread_mutex_trylock(&initialised[k]));
    if (k == 1) SHOW_ERROR(pthread_mutex_unlock(&initialised[k]));
    SHOW_ERROR(pthread_mutex_unlock(&initialised[k]));
    SHOW_ERROR(pthread_mutex_destroy(&initialised[k]));
    SHOW_ERROR(pthread_mutex_init(&initialised[k], 0));  // again, after its end
    SHOW_ERROR(pthread_mutex_trylock(&initialised[k]));
    SHOW_ERROR(pthread_mutex_unlock(&initialised[k]));
    SHOW_ERROR(pthread_mutex_destroy(&initialised[k]));
  }
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  SHOW_ERROR(pthread_mutexattr_settype(&a, 77));
  SHOW_ERROR(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ADAPTIVE_NP));
  return 0;
}
