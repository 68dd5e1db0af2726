// What a readers-writer lock lets in while it is held for reading, and for writing.
// expect: verified optimal=1 observers=1
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void* try_read(void* unused) {
  assert(pthread_rwlock_tryrdlock(&l) == 0);
  assert(pthread_rwlock_tryrdlock(&l) == 0);
  pthread_rwlock_unlock(&l);
  pthread_rwlock_unlock(&l);
  assert(pthread_rwlock_trywrlock(&l) == EBUSY);
  return unused;
}
static void* try_both(void* unused) {
  assert(pthread_rwlock_tryrdlock(&l) == EBUSY);
  assert(pthread_rwlock_trywrlock(&l) == EBUSY);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_rwlock_rdlock(&l);
  pthread_create(&a, 0, try_read, 0);
  pthread_join(a, 0);
  pthread_rwlock_unlock(&l);
  pthread_rwlock_wrlock(&l);
  pthread_create(&a, 0, try_both, 0);
  pthread_join(a, 0);
  pthread_rwlock_unlock(&l);
  assert(pthread_rwlock_trywrlock(&l) == 0);
  assert(pthread_rwlock_unlock(&l) == 0 && pthread_rwlock_destroy(&l) == 0);
}
