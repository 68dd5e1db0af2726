// Where a handler would interrupt another thread is not explored.
// expect: misuse interrupt another thread
#include <pthread.h>
#include <signal.h>

static void handle(int number) { (void)number; }
static void* work(void* unused) { return unused; }

int main(void) {
  pthread_t a;
  signal(SIGUSR1, handle);
  pthread_create(&a, 0, work, 0);
  pthread_kill(a, SIGUSR1);
  pthread_join(a, 0);
}
