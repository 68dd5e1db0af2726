// Sleeping, and times that are none.
#define _GNU_SOURCE
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "show.h"

static const struct timespec moment = {0, 1}, negative = {-1, 0}, past = {1, 0};
static const struct timespec wrong[] = {{0, 1000000000}, {0, -1}};

static long long now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(void) {
  struct timespec rest = {5, 5};
  SHOW_ERRNO(nanosleep(&moment, &rest));
  SHOW_ERRNO(nanosleep(&negative, &rest));
  SHOW_ERRNO(nanosleep(&wrong[0], 0));
  SHOW_ERRNO(nanosleep(&wrong[1], 0));
  SHOW_NUMBER(rest.tv_sec);
  SHOW_ERROR(clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, 0));
  SHOW_ERROR(clock_nanosleep(CLOCK_MONOTONIC, 0, &negative, 0));
  SHOW_ERROR(clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong[0], 0));
  SHOW_ERROR(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &past, 0));
  SHOW_ERROR(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wrong[1], 0));
  SHOW_ERROR(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &negative, 0));
  SHOW_ERROR(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &moment, 0));
  SHOW_ERROR(clock_nanosleep(77, 0, &moment, 0));
  SHOW_ERRNO(usleep(1));
  SHOW_NUMBER(sleep(0));
  long long before = now(CLOCK_MONOTONIC);
  usleep(2000);
  SHOW_NUMBER(now(CLOCK_MONOTONIC) - before >= 2000000);
  before = now(CLOCK_REALTIME);
  nanosleep(&(struct timespec){0, 3000000}, 0);
  SHOW_NUMBER(now(CLOCK_REALTIME) - before >= 3000000);
  struct timespec t;
  SHOW_ERRNO(clock_gettime(77, &t));
  SHOW_ERRNO(clock_gettime(CLOCK_MONOTONIC_COARSE, &t));
  struct timeval v;
  SHOW_ERRNO(gettimeofday(&v, 0));
  time_t at = 0;
  SHOW_NUMBER(time(&at) == at);
  SHOW_NUMBER(time(0) >= at);
  return 0;
}
