// One thread joins what another detaches.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>

static pthread_t a;

static void* work(void* unused) { return unused; }
static void* detach(void* unused) {
  pthread_detach(a);
  return unused;
}

int main(void) {
  pthread_t b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, detach, 0);
  int result = pthread_join(a, 0);
  pthread_join(b, 0);
  assert(result == 0);  // here
}
