// Handlers run in the threads that raise the signal, at the same time.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int count;
static void handle(int number) {
  (void)number;
  int seen = count;
  count = seen + 1;
}

static void* work(void* unused) {
  raise(SIGUSR1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  signal(SIGUSR1, handle);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count == 2);  // here
}
