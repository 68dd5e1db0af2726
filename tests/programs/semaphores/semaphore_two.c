// A semaphore that lets two in.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t s;
static atomic_long inside;

static void* enter(void* unused) {
  sem_wait(&s);
  assert(atomic_fetch_add(&inside, 1) == 0);  // here
  atomic_fetch_sub(&inside, 1);
  sem_post(&s);
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&s, 0, 2);
  pthread_create(&a, 0, enter, 0);
  pthread_create(&b, 0, enter, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
