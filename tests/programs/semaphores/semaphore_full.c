// expect: verified
// A semaphore has a greatest value.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

int main(void) {
  sem_t s;
  assert(sem_init(&s, 0, SEM_VALUE_MAX) == 0);
  assert(sem_post(&s) == -1 && errno == EOVERFLOW);
  return 0;
}
