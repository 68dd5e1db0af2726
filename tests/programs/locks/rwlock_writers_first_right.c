// expect: verified
// Locks with writers first, used without reading twice: readers and writers exclude each other.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock;
static int x, y;

static void* write_it(void* p) {
  pthread_rwlock_wrlock(&lock);
  ++x;
  ++y;
  pthread_rwlock_unlock(&lock);
  return 0;
}
static void* read_it(void* p) {
  pthread_rwlock_rdlock(&lock);
  assert(x == y);
  pthread_rwlock_unlock(&lock);
  if (pthread_rwlock_tryrdlock(&lock) == 0) {
    assert(x == y);
    pthread_rwlock_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t s, t;
  pthread_rwlockattr_t a;
  pthread_rwlockattr_init(&a);
  pthread_rwlockattr_setkind_np(&a, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&lock, &a);
  pthread_create(&s, 0, write_it, 0);
  pthread_create(&t, 0, read_it, 0);
  if (pthread_rwlock_trywrlock(&lock) == 0) {
    ++x;
    ++y;
    pthread_rwlock_unlock(&lock);
  }
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(x == y && x >= 1);
  pthread_rwlock_destroy(&lock);
  return 0;
}
