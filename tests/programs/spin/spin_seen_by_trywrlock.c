// Rounds that only read-lock are seen by a thread that fails to get the lock for writing.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int flag;
static atomic_int failed;

static void* await(void* unused) {
  for (;;) {
    pthread_rwlock_rdlock(&lock);
    const int seen = flag;
    pthread_rwlock_unlock(&lock);
    if (seen) break;
  }
  assert(!failed);  // here
  return unused;
}

static void* set(void* unused) {
  if (pthread_rwlock_trywrlock(&lock) != 0)
    failed = 1;
  else
    pthread_rwlock_unlock(&lock);
  pthread_rwlock_wrlock(&lock);
  flag = 1;
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, await, 0);
  pthread_create(&two, 0, set, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
