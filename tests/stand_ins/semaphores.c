// Semaphores: values, limits of time, and what is wrong.
#define _GNU_SOURCE
#include <limits.h>
#include <semaphore.h>
#include <time.h>

#include "show.h"

static const struct timespec past = {1, 0}, negative = {-1, 0};
static const struct timespec wrong[] = {{1, 1000000000}, {1, -1}, {2000000000, 1500000000}};

static void show_value(sem_t* s) {
  int value = 77;
  SHOW_ERRNO(sem_getvalue(s, &value));
  SHOW_NUMBER(value);
}

int main(void) {
  sem_t s;
  SHOW_ERRNO(sem_init(&s, 0, (unsigned)SEM_VALUE_MAX + 1));
  SHOW_ERRNO(sem_init(&s, 0, SEM_VALUE_MAX));
  SHOW_ERRNO(sem_post(&s));
  show_value(&s);
  SHOW_ERRNO(sem_wait(&s));
  SHOW_ERRNO(sem_post(&s));
  SHOW_ERRNO(sem_post(&s));
  SHOW_ERRNO(sem_destroy(&s));
  SHOW_ERRNO(sem_init(&s, 0, 8));
  SHOW_ERRNO(sem_timedwait(&s, &past));
  SHOW_ERRNO(sem_timedwait(&s, &negative));
  // A token is taken, but not if the time is no time.
  for (int k = 0; k < 3; ++k) {
    SHOW_ERRNO(sem_timedwait(&s, &wrong[k]));
    SHOW_ERRNO(sem_clockwait(&s, CLOCK_MONOTONIC, &wrong[k]));
  }
  SHOW_ERRNO(sem_clockwait(&s, CLOCK_PROCESS_CPUTIME_ID, &past));
  show_value(&s);
  while (sem_trywait(&s) == 0) {
  }
  SHOW_ERRNO(sem_trywait(&s));
  SHOW_ERRNO(sem_timedwait(&s, &past));
  SHOW_ERRNO(sem_timedwait(&s, &negative));
  for (int k = 0; k < 3; ++k) SHOW_ERRNO(sem_timedwait(&s, &wrong[k]));
  SHOW_ERRNO(sem_clockwait(&s, CLOCK_MONOTONIC, &wrong[1]));
  show_value(&s);
  SHOW_ERRNO(sem_destroy(&s));
  return 0;
}
