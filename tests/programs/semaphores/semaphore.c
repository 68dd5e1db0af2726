// A semaphore that lets one in: in either order.
// expect: verified optimal=2 observers=2
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static long inside;

static void* enter(void* unused) {
  sem_wait(&s);
  assert(inside == 0);
  inside = 1;
  inside = 0;
  sem_post(&s);
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&s, 0, 1);
  pthread_create(&a, 0, enter, 0);
  pthread_create(&b, 0, enter, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
