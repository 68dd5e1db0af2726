// As race_mutex.c, with a readers-writer lock.
// expect: finding data-race
#include <pthread.h>
#include <stdatomic.h>

static long u, seen;
static atomic_int steps;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void* one(void* unused) {
  pthread_rwlock_rdlock(&l);
  seen = u;
  pthread_rwlock_unlock(&l);
  return unused;
}
static void* other(void* unused) {
  pthread_rwlock_wrlock(&l);
  pthread_rwlock_unlock(&l);
  atomic_fetch_add_explicit(&steps, 1, memory_order_relaxed);
  u = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
