// An update that changes memory, before a lock: another thread changes it back while the lock is
// waited for. The round had an effect all the same.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, done;

static void* await(void* unused) {
  do {
    atomic_exchange(&x, 1);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  } while (!atomic_load(&done));
  return unused;
}

int main(void) {
  pthread_t one;
  pthread_mutex_lock(&mutex);
  pthread_create(&one, 0, await, 0);
  if (atomic_load(&x) == 1) {
    atomic_store(&x, 0);
    pthread_mutex_unlock(&mutex);
    assert(atomic_load(&x) == 0);  // here
  } else {
    pthread_mutex_unlock(&mutex);
  }
  atomic_store(&done, 1);
  pthread_join(one, 0);
}
