// Any of the threads can be the last.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_t main_thread;
static void at_exit(void) {
  assert(pthread_equal(pthread_self(), main_thread));  // here
}

static void* work(void* unused) { return unused; }

int main(void) {
  pthread_t a;
  main_thread = pthread_self();
  atexit(at_exit);
  pthread_create(&a, 0, work, 0);
  pthread_detach(a);
  pthread_exit(0);
}
