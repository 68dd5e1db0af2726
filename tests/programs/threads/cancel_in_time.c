// Whether a cancellation comes in time is a matter of schedule: both are explored.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>

static int done;

static void* work(void* p) {
  pthread_testcancel();
  done = 1;
  return p;
}

int main(void) {
  pthread_t a;
  void* result;
  pthread_create(&a, 0, work, 0);
  pthread_cancel(a);
  pthread_join(a, &result);
  assert((result == PTHREAD_CANCELED) == !done);
  assert(!done);  // here
}
