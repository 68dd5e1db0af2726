// expect: finding deadlock
// A thread that reads and wants to read again waits for a writer that waits for it.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static int x;

static void* write_it(void* p) {
  pthread_rwlock_wrlock(&lock);
  ++x;
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, write_it, 0);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_join(t, 0);
  return 0;
}
