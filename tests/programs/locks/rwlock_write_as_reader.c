// Two threads write what they hold for reading only: a reader's lock orders them in no way.
// expect: finding data-race line here
#define _XOPEN_SOURCE 700
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
long x;

static void* add(void* unused) {
  pthread_rwlock_rdlock(&l);
  x = x + 1;  // here
  pthread_rwlock_unlock(&l);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
