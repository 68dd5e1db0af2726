// What one thread blocks is not blocked for another.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void handle(int number) {
  assert(number != SIGUSR1);  // here
}

static void* work(void* unused) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  return unused;
}

int main(void) {
  pthread_t a;
  signal(SIGUSR1, handle);
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
  raise(SIGUSR1);
}
