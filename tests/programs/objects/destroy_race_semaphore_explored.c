// expect: finding lock-misuse
// options: --races explore
// One thread destroys what another uses: both orders are explored.
#include <pthread.h>
#include <semaphore.h>

static sem_t object;

static void* end(void* p) {
  sem_destroy(&object);
  return 0;
}

int main(void) {
  pthread_t t;
  sem_init(&object, 0, 0);
  pthread_create(&t, 0, end, 0);
  sem_post(&object);
  pthread_join(t, 0);
  return 0;
}
