// A writer polls, and lets go of the lock in each round: a reader can see what it has written, and
// tell by an atomic variable.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int seen;
static int written;

static void* look(void* unused) {
  pthread_rwlock_rdlock(&l);
  atomic_store(&seen, 1 + written);
  pthread_rwlock_unlock(&l);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, look, 0);
  pthread_rwlock_wrlock(&l);
  written = 1;
  while (!atomic_load(&seen)) {
    pthread_rwlock_unlock(&l);
    sched_yield();
    pthread_rwlock_wrlock(&l);
  }
  pthread_rwlock_unlock(&l);
  assert(atomic_load(&seen) == 1);  // here
  pthread_join(a, 0);
}
