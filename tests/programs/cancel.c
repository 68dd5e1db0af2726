// To cancel a thread is not supported.
// expect: misuse pthread_cancel
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void* work(void* unused) {
  sem_wait(&never);
  return unused;
}

int main(void) {
  pthread_t a;
  sem_init(&never, 0, 0);
  pthread_create(&a, 0, work, 0);
  pthread_cancel(a);
  pthread_join(a, 0);
}
