// expect: finding data-race or lock-misuse
// One thread destroys what another uses.
#include <pthread.h>
#include <semaphore.h>

static pthread_spinlock_t object;

static void* use(void* p) {
  pthread_spin_trylock(&object);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_spin_init(&object, 0);
  pthread_create(&t, 0, use, 0);
  pthread_spin_destroy(&object);
  pthread_join(t, 0);
  return 0;
}
