// expect: finding lock-misuse
// options: --races explore
// One thread destroys what another uses: both orders are explored.
#include <pthread.h>
#include <semaphore.h>

static pthread_cond_t object;

static void* end(void* p) {
  pthread_cond_destroy(&object);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_cond_init(&object, 0);
  pthread_create(&t, 0, end, 0);
  pthread_cond_signal(&object);
  pthread_join(t, 0);
  return 0;
}
