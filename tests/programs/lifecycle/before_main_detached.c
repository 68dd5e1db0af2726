// A function that runs before main starts a thread that no thread waits for.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void* set(void* unused) {
  ready = 1;
  return unused;
}

__attribute__((constructor)) static void begin(void) {
  pthread_t t;
  pthread_create(&t, NULL, set, NULL);
  pthread_detach(t);
}

int main(void) {
  assert(ready);  // here
}
