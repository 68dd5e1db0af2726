// expect: incomplete more than 15 times
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
  for (int k = 0; k < 16; ++k) pthread_rwlock_rdlock(&lock);
  return 0;
}
