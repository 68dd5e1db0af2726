// The second unlock ends what no thread has begun.
// expect: finding lock-misuse line here
#define _XOPEN_SOURCE 700
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
  pthread_rwlock_rdlock(&l);
  pthread_rwlock_unlock(&l);
  pthread_rwlock_unlock(&l);  // here
}
