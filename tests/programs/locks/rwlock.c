// Two readers and a writer: the writer is first, last, or between them either way.
// expect: verified optimal=4 observers=4
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static long x, y;

static void* reader(void* unused) {
  pthread_rwlock_rdlock(&l);
  assert(x == y);
  pthread_rwlock_unlock(&l);
  return unused;
}
static void* writer(void* unused) {
  pthread_rwlock_wrlock(&l);
  x = 1;
  y = 1;
  pthread_rwlock_unlock(&l);
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, writer, 0);
  pthread_create(&c, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
}
