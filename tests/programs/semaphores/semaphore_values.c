// What a semaphore says of itself.
// expect: verified
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <time.h>

static sem_t s;

static int value(void) {
  int out = -1;
  assert(sem_getvalue(&s, &out) == 0);
  return out;
}

int main(void) {
  struct timespec until;
  assert(sem_init(&s, 0, 2) == 0 && value() == 2);
  assert(sem_wait(&s) == 0 && sem_trywait(&s) == 0 && value() == 0);
  errno = 0;
  assert(sem_trywait(&s) == -1 && errno == EAGAIN);
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 1;
  errno = 0;
  assert(sem_timedwait(&s, &until) == -1 && errno == ETIMEDOUT);
  assert(sem_post(&s) == 0 && value() == 1);
  assert(sem_timedwait(&s, &until) == 0 && value() == 0 && sem_destroy(&s) == 0);
}
