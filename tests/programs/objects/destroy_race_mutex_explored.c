// expect: finding lock-misuse
// options: --races explore
// One thread destroys what another uses: both orders are explored.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t object;

static void* end(void* p) {
  pthread_mutex_destroy(&object);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutex_init(&object, 0);
  pthread_create(&t, 0, end, 0);
  pthread_mutex_lock(&object);
  pthread_mutex_unlock(&object);
  pthread_join(t, 0);
  return 0;
}
