// Threads inherit the mask, and change their own; all of it can be blocked.
// expect: verified optimal=1 observers=1
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static int state[3000];

static void* work(void* unused) {
  sigset_t set;
  pthread_sigmask(SIG_SETMASK, 0, &set);
  assert(sigismember(&set, SIGUSR1) && sigismember(&set, SIGSEGV));
  sigemptyset(&set);
  pthread_sigmask(SIG_SETMASK, &set, 0);
  state[0] = state[2000] = 1;
  return unused;
}

int main(void) {
  pthread_t a;
  sigset_t set;
  sigfillset(&set);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
  pthread_sigmask(SIG_SETMASK, 0, &set);
  assert(sigismember(&set, SIGUSR1) && !sigismember(&set, SIGKILL));
}
