// A value is gone with its key.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void* work(void* unused) {
  pthread_setspecific(key, &key);
  assert(pthread_getspecific(key) == &key);  // here
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_key_create(&key, 0);
  pthread_create(&a, 0, work, 0);
  pthread_key_delete(key);
  pthread_join(a, 0);
}
