// A key may be deleted before the other thread ends, or after: then its destructor is called.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static void destroy(void* unused) {
  (void)unused;
  assert(0);  // here
}

static void* work(void* unused) {
  pthread_setspecific(key, &key);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_key_create(&key, destroy);
  pthread_create(&a, 0, work, 0);
  pthread_key_delete(key);
  pthread_join(a, 0);
}
