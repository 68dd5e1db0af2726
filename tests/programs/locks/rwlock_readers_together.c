// Two readers can be inside at the same time.
// expect: finding assertion line here
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static atomic_long inside;

static void* reader(void* unused) {
  pthread_rwlock_rdlock(&l);
  assert(atomic_fetch_add(&inside, 1) == 0);  // here
  atomic_fetch_sub(&inside, 1);
  pthread_rwlock_unlock(&l);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
