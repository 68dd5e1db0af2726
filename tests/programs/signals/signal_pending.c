// A blocked signal is taken when it is unblocked, once.
// expect: verified optimal=1 observers=1
#include <assert.h>
#include <signal.h>

static int count;
static void handle(int number) {
  (void)number;
  ++count;
}

int main(void) {
  sigset_t set, old;
  signal(SIGUSR1, handle);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, &old);
  raise(SIGUSR1);
  raise(SIGUSR1);
  sigpending(&set);
  assert(count == 0 && sigismember(&set, SIGUSR1));
  sigprocmask(SIG_SETMASK, &old, 0);
  assert(count == 1);
}
