// expect: verified
// allow: loops
// A deadline long ago is over: a thread that waits for it continues.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static sem_t semaphore;
static atomic_int done;

static void* wait(void* p) {
  struct timespec ago = {-1, 0};
  sem_timedwait(&semaphore, &ago);
  done = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  sem_init(&semaphore, 0, 0);
  pthread_create(&t, 0, wait, 0);
  while (!done) {
  }
  pthread_join(t, 0);
  return 0;
}
