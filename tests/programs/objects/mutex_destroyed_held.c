// The mutex is destroyed while the other thread may be inside.
// expect: finding lock-misuse or data-race
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_long entered;

static void* work(void* unused) {
  pthread_mutex_lock(&m);
  atomic_store(&entered, 1);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  if (atomic_load(&entered)) pthread_mutex_destroy(&m);
  pthread_join(a, 0);
}
