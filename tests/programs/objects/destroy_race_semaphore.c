// expect: finding data-race or lock-misuse
// One thread destroys what another uses.
#include <pthread.h>
#include <semaphore.h>

static sem_t object;

static void* use(void* p) {
  sem_post(&object);
  return 0;
}

int main(void) {
  pthread_t t;
  sem_init(&object, 0, 0);
  pthread_create(&t, 0, use, 0);
  sem_destroy(&object);
  pthread_join(t, 0);
  return 0;
}
