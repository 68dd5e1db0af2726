// Main ends with pthread_exit: the process ends with its last thread, and the status is 0.
// expect: verified
// allow: main returns while
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long over;
static pthread_t main_thread;

static void* work(void* unused) {
  pthread_join(main_thread, 0);
  assert(atomic_load(&over));
  return unused;
}

int main(void) {
  pthread_t a;
  main_thread = pthread_self();
  pthread_create(&a, 0, work, 0);
  pthread_detach(a);
  atomic_store(&over, 1);
  pthread_exit(0);
}
