// expect: finding data-race or lock-misuse
// One thread destroys what another uses.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t object;

static void* use(void* p) {
  pthread_mutex_trylock(&object);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutex_init(&object, 0);
  pthread_create(&t, 0, use, 0);
  pthread_mutex_destroy(&object);
  pthread_join(t, 0);
  return 0;
}
