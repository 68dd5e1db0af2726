// A key made during the run: no value from an earlier run or an ended thread shows.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x;

static void* work(void* value) {
  pthread_key_t key;
  assert(pthread_key_create(&key, 0) == 0);
  assert(pthread_getspecific(key) == 0);
  pthread_setspecific(key, value);
  atomic_fetch_add(&x, 1);
  assert(pthread_getspecific(key) == value);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, (void*)1);
  pthread_create(&b, 0, work, (void*)2);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
