// A round of the waiting loop takes a spinlock and gives it back: no effect, but another thread fails to
// take the lock meanwhile.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_spinlock_t mutex;
static int flag;
static atomic_int failures;

static void* await(void* unused) {
  int seen;
  do {
    pthread_spin_lock(&mutex);
    seen = flag;
    pthread_spin_unlock(&mutex);
  } while (!seen);
  assert(atomic_load(&failures) < 2);  // here
  return unused;
}

static void* set(void* unused) {
  for (int k = 0; k < 2; ++k) {
    if (pthread_spin_trylock(&mutex) != 0)
      atomic_fetch_add(&failures, 1);
    else
      pthread_spin_unlock(&mutex);
    pthread_spin_lock(&mutex);
    pthread_spin_unlock(&mutex);
  }
  pthread_spin_lock(&mutex);
  flag = 1;
  pthread_spin_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_spin_init(&mutex, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&one, 0, await, 0);
  pthread_create(&two, 0, set, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
