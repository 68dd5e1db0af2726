// Readers-writer locks: what a thread gets that has the lock already, and what another gets.
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

#include "show.h"

static const struct timespec past = {1, 0}, negative = {-1, 0};
static const struct timespec wrong[] = {{1, 1000000000}, {1, -1}, {2000000000, 1500000000}};

static void try_reading(pthread_rwlock_t* l, int unlocks) {
  SHOW_ERROR(pthread_rwlock_tryrdlock(l));
  if (unlocks) SHOW_ERROR(pthread_rwlock_unlock(l));
  SHOW_ERROR(pthread_rwlock_timedrdlock(l, &past));
  if (unlocks) SHOW_ERROR(pthread_rwlock_unlock(l));
  SHOW_ERROR(pthread_rwlock_timedrdlock(l, &negative));
  if (unlocks) SHOW_ERROR(pthread_rwlock_unlock(l));
  SHOW_ERROR(pthread_rwlock_clockrdlock(l, CLOCK_MONOTONIC, &past));
  if (unlocks) SHOW_ERROR(pthread_rwlock_unlock(l));
  // These are not taken, however free the lock is.
  for (int k = 0; k < 3; ++k) SHOW_ERROR(pthread_rwlock_timedrdlock(l, &wrong[k]));
  SHOW_ERROR(pthread_rwlock_clockrdlock(l, CLOCK_PROCESS_CPUTIME_ID, &past));
}
static void try_writing(pthread_rwlock_t* l, int unlocks) {
  SHOW_ERROR(pthread_rwlock_trywrlock(l));
  if (unlocks) SHOW_ERROR(pthread_rwlock_unlock(l));
  SHOW_ERROR(pthread_rwlock_timedwrlock(l, &past));
  if (unlocks) SHOW_ERROR(pthread_rwlock_unlock(l));
  SHOW_ERROR(pthread_rwlock_timedwrlock(l, &negative));
  if (unlocks) SHOW_ERROR(pthread_rwlock_unlock(l));
  SHOW_ERROR(pthread_rwlock_clockwrlock(l, CLOCK_MONOTONIC, &past));
  if (unlocks) SHOW_ERROR(pthread_rwlock_unlock(l));
  for (int k = 0; k < 3; ++k) SHOW_ERROR(pthread_rwlock_timedwrlock(l, &wrong[k]));
  SHOW_ERROR(pthread_rwlock_clockwrlock(l, CLOCK_PROCESS_CPUTIME_ID, &past));
}
static void* try_while_written(void* l) {
  try_reading(l, 0);
  try_writing(l, 0);
  return 0;
}
static void* try_while_read(void* l) {
  try_reading(l, 1);
  try_writing(l, 0);
  return 0;
}
static void run(void* (*f)(void*), void* l) {
  pthread_t t;
  pthread_create(&t, 0, f, l);
  pthread_join(t, 0);
}

int main(void) {
  for (int kind = PTHREAD_RWLOCK_PREFER_READER_NP;
       kind <= PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; ++kind) {
    pthread_rwlockattr_t a;
    pthread_rwlock_t l;
    pthread_rwlockattr_init(&a);
    SHOW_ERROR(pthread_rwlockattr_setkind_np(&a, kind));
    SHOW_ERROR(pthread_rwlock_init(&l, &a));
    try_reading(&l, 1);
    try_writing(&l, 1);
    SHOW_ERROR(pthread_rwlock_wrlock(&l));
    SHOW_ERROR(pthread_rwlock_wrlock(&l));  // its own
    SHOW_ERROR(pthread_rwlock_rdlock(&l));
    SHOW_ERROR(pthread_rwlock_tryrdlock(&l));
    SHOW_ERROR(pthread_rwlock_trywrlock(&l));
    SHOW_ERROR(pthread_rwlock_timedrdlock(&l, &past));
    SHOW_ERROR(pthread_rwlock_timedwrlock(&l, &past));
    SHOW_ERROR(pthread_rwlock_timedrdlock(&l, &wrong[0]));
    SHOW_ERROR(pthread_rwlock_timedwrlock(&l, &wrong[0]));
    run(try_while_written, &l);
    SHOW_ERROR(pthread_rwlock_unlock(&l));
    SHOW_ERROR(pthread_rwlock_rdlock(&l));
    SHOW_ERROR(pthread_rwlock_rdlock(&l));  // recursive
    SHOW_ERROR(pthread_rwlock_trywrlock(&l));
    SHOW_ERROR(pthread_rwlock_timedwrlock(&l, &past));
    run(try_while_read, &l);
    SHOW_ERROR(pthread_rwlock_unlock(&l));
    SHOW_ERROR(pthread_rwlock_unlock(&l));
    SHOW_ERROR(pthread_rwlock_destroy(&l));
  }
  pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
  // A thread can read several times.
  int failed = 0;
  for (int k = 0; k < 15; ++k) failed += pthread_rwlock_rdlock(&l) != 0;
  SHOW_NUMBER(failed);
  for (int k = 0; k < 15; ++k) failed += pthread_rwlock_unlock(&l) != 0;
  SHOW_NUMBER(failed);
  SHOW_ERROR(pthread_rwlock_trywrlock(&l));
  SHOW_ERROR(pthread_rwlock_unlock(&l));
  return 0;
}
