// A round of the waiting loop takes a lock and gives it back: no effect, but another thread fails to
// take the lock meanwhile.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int flag;
static atomic_int failures;

static void* await(void* unused) {
  int seen;
  do {
    pthread_mutex_lock(&mutex);
    seen = flag;
    pthread_mutex_unlock(&mutex);
  } while (!seen);
  assert(atomic_load(&failures) < 2);  // here
  return unused;
}

static void* set(void* unused) {
  for (int k = 0; k < 2; ++k) {
    if (pthread_mutex_trylock(&mutex) != 0)
      atomic_fetch_add(&failures, 1);
    else
      pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  pthread_mutex_lock(&mutex);
  flag = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, await, 0);
  pthread_create(&two, 0, set, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
