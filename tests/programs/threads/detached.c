// A detached thread may come too late, or wait for ever: when main returns, it is gone.
// options: --main-exit=kill
// expect: verified
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_long x;
static sem_t never;

static void* work(void* unused) {
  atomic_store(&x, 1);
  sem_wait(&never);
  return unused;
}

int main(void) {
  pthread_t a;
  sem_init(&never, 0, 0);
  pthread_create(&a, 0, work, 0);
  pthread_detach(a);
  return atomic_load(&x) > 1;
}
