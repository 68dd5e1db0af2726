// Whether the signal has a handler depends on the order.
// expect: finding signal
#include <pthread.h>
#include <signal.h>

static void handle(int number) { (void)number; }

static void* work(void* unused) {
  signal(SIGUSR1, handle);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  raise(SIGUSR1);
  pthread_join(a, 0);
}
