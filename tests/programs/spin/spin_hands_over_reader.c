// A reader polls, and lets go of the lock in each round so that a writer can come. Another reader
// lets no thread in, and does not count.
// expect: verified optimal=2 observers=2
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int ready;

static void* produce(void* unused) {
  pthread_rwlock_wrlock(&l);
  ready = 1;
  pthread_rwlock_unlock(&l);
  return unused;
}

static void* look(void* unused) {
  pthread_rwlock_rdlock(&l);
  const int seen = ready;
  pthread_rwlock_unlock(&l);
  assert(seen == 0 || seen == 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_rwlock_rdlock(&l);
  pthread_create(&a, 0, produce, 0);
  pthread_create(&b, 0, look, 0);
  while (!ready) {
    pthread_rwlock_unlock(&l);
    sched_yield();
    pthread_rwlock_rdlock(&l);
  }
  pthread_rwlock_unlock(&l);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
