// expect: finding lock-misuse
// options: --races explore
// One thread destroys what another uses: both orders are explored.
#include <pthread.h>
#include <semaphore.h>

static pthread_barrier_t object;

static void* end(void* p) {
  pthread_barrier_destroy(&object);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_barrier_init(&object, 0, 1);
  pthread_create(&t, 0, end, 0);
  pthread_barrier_wait(&object);
  pthread_join(t, 0);
  return 0;
}
