// That a thread may be cancelled hides no deadlock where it is not.
// expect: finding deadlock
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t s;
static atomic_int late;

static void* work(void* p) {
  late = 1;
  sem_wait(&s);
  return p;
}

int main(void) {
  pthread_t a;
  sem_init(&s, 0, 0);
  pthread_create(&a, 0, work, 0);
  if (!late) pthread_cancel(a);
  pthread_join(a, 0);
}
