// What goes wrong when main has returned is found all the same: the threads continue.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long over;

static void* work(void* unused) {
  assert(!atomic_load(&over));  // here
  return unused;
}

int main(void) {
  pthread_attr_t attributes;
  pthread_t a;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&a, &attributes, work, 0);
  atomic_store(&over, 1);
}
