// One way out of the critical section forgets the mutex.
// expect: finding deadlock
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_long closed;

static void* work(void* unused) {
  pthread_mutex_lock(&m);
  if (atomic_load(&closed)) return unused;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  atomic_store(&closed, 1);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
}
