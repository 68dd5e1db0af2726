// Handlers: what is masked while they run, what is returned, and what is not a time to wait for.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "show.h"

static int depth, calls;
static sigjmp_buf place;

static void show_mask(const char* what) {
  sigset_t set;
  sigprocmask(SIG_BLOCK, 0, &set);
  printf("> mask %s:", what);
  for (int k = 1; k < 65; ++k)
    if (sigismember(&set, k) == 1) printf(" %d", k);
  printf("\n");
}
static void nest(int number) {
  ++calls;
  show_mask("in a handler");
  if (depth++ == 0) {
    raise(number);
    printf("> back\n");
  }
}
static void jump(int number) { siglongjmp(place, number); }
static void block_other(int number) {
  sigset_t set;
  (void)number;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  sigprocmask(SIG_BLOCK, &set, 0);
}

int main(void) {
  struct sigaction a, old;
  memset(&a, 0, sizeof a);
  a.sa_handler = nest;
  sigaddset(&a.sa_mask, SIGTERM);
  sigaction(SIGUSR1, &a, 0);
  raise(SIGUSR1);
  SHOW_NUMBER(calls);
  depth = calls = 0;
  a.sa_flags = SA_NODEFER;
  sigaction(SIGUSR1, &a, 0);
  raise(SIGUSR1);
  SHOW_NUMBER(calls);
  a.sa_flags = (int)SA_RESETHAND;
  sigaction(SIGUSR1, &a, 0);
  raise(SIGUSR1);
  sigaction(SIGUSR1, 0, &old);
  SHOW_NUMBER(old.sa_handler == SIG_DFL);
  SHOW_NUMBER(sigismember(&old.sa_mask, SIGTERM));
  SHOW_NUMBER(signal(SIGUSR1, block_other) == SIG_DFL);
  SHOW_ERRNO(siginterrupt(SIGUSR1, 1));
  sigaction(SIGUSR1, 0, &old);
  SHOW_NUMBER((old.sa_flags & SA_RESTART) != 0);
  SHOW_NUMBER(old.sa_handler == block_other);
  SHOW_ERRNO(siginterrupt(SIGUSR1, 0));
  sigaction(SIGUSR1, 0, &old);
  SHOW_NUMBER((old.sa_flags & SA_RESTART) != 0);
  SHOW_ERRNO(siginterrupt(65, 0));
  raise(SIGUSR1);
  show_mask("after a handler that changed it");
  signal(SIGUSR1, jump);
  if (sigsetjmp(place, 1) == 0) raise(SIGUSR1);
  show_mask("after a jump");
  if (sigsetjmp(place, 0) == 0) raise(SIGUSR1);
  show_mask("after a jump that does not keep it");
  sigset_t set;
  struct timespec none = {0, 0}, wrong = {0, -1}, negative = {-1, 0};
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigprocmask(SIG_SETMASK, &set, 0);
  SHOW_ERRNO(sigtimedwait(&set, 0, &none));
  SHOW_ERRNO(sigtimedwait(&set, 0, &wrong));
  SHOW_ERRNO(sigtimedwait(&set, 0, &negative));
  raise(SIGTERM);
  SHOW_ERRNO(sigtimedwait(&set, 0, &wrong));
  SHOW_ERRNO(sigtimedwait(&set, 0, &none));
  return 0;
}
