// The address is written where the program said.
// expect: finding data-race
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

static void* block;

static void* allocates(void* argument) { return posix_memalign(&block, 64, 8) ? 0 : argument; }

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, allocates, 0);
  pthread_create(&t, 0, allocates, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
