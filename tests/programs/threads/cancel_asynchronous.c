// A thread that can be cancelled anywhere is not supported.
// expect: misuse PTHREAD_CANCEL_ASYNCHRONOUS
#include <pthread.h>

static void* work(void* p) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  for (volatile int i = 0; i < 3; ++i) {
  }
  return p;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_cancel(a);
  pthread_join(a, 0);
}
