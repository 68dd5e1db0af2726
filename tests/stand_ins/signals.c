// Masks, what is pending, and handlers that raise again.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "show.h"

static int depth, deepest, times, code, value;
static void handle(int number) {
  sigset_t now;
  ++times;
  if (++depth > deepest) deepest = depth;
  sigprocmask(SIG_SETMASK, 0, &now);
  if (times == 1) {
    SHOW_NUMBER(sigismember(&now, number));
    SHOW_NUMBER(sigismember(&now, SIGUSR2));
    raise(number);
  }
  --depth;
}
static void informed(int number, siginfo_t* info, void* context) {
  (void)context;
  code = info->si_code;
  value = info->si_value.sival_int;
  SHOW_NUMBER(info->si_signo == number);
  SHOW_NUMBER(info->si_pid == getpid());
}
static void install(int flags, int other) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  action.sa_flags = flags;
  if (other) sigaddset(&action.sa_mask, other);
  SHOW_ERRNO(sigaction(SIGUSR1, &action, 0));
  depth = deepest = times = 0;
}

static void* inherit(void* unused) {
  sigset_t set;
  SHOW_ERROR(pthread_sigmask(SIG_BLOCK, 0, &set));
  SHOW_NUMBER(sigismember(&set, SIGUSR1));
  SHOW_NUMBER(sigismember(&set, SIGUSR2));
  sigpending(&set);
  SHOW_NUMBER(sigismember(&set, SIGUSR1));
  sigemptyset(&set);
  pthread_sigmask(SIG_SETMASK, &set, 0);
  return unused;
}

int main(void) {
  struct sigaction old;
  sigset_t set, before;
  int taken;

  install(0, SIGUSR2);
  SHOW_ERRNO(raise(SIGUSR1));
  SHOW_NUMBER(times);
  SHOW_NUMBER(deepest);
  install(SA_NODEFER, 0);
  raise(SIGUSR1);
  SHOW_NUMBER(times);
  SHOW_NUMBER(deepest);
  install(SA_RESETHAND, SIGUSR1);
  times = 1;
  raise(SIGUSR1);
  SHOW_ERRNO(sigaction(SIGUSR1, 0, &old));
  SHOW_NUMBER(old.sa_handler == SIG_DFL);

  SHOW_NUMBER(signal(SIGUSR1, handle) == SIG_DFL);
  SHOW_NUMBER(signal(SIGUSR1, SIG_IGN) == handle);
  SHOW_ERRNO(raise(SIGUSR1));
  SHOW_NUMBER(signal(SIGUSR1, handle) == SIG_IGN);
  SHOW_NUMBER(signal(SIGKILL, handle) == SIG_ERR);
  SHOW_ERRNO(sigaction(SIGSTOP, &old, 0));
  SHOW_ERRNO(sigaction(65, 0, &old));
  SHOW_ERRNO(sigaction(0, 0, &old));
  SHOW_ERRNO(raise(65));
  SHOW_ERRNO(kill(getpid(), 0));
  SHOW_ERRNO(kill(getpid(), 65));
  SHOW_ERROR(pthread_kill(pthread_self(), 0));
  SHOW_ERROR(pthread_kill(pthread_self(), 65));
  SHOW_ERRNO(raise(SIGCHLD));
  SHOW_ERRNO(raise(SIGWINCH));

  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  times = 1;
  SHOW_ERROR(pthread_sigmask(SIG_BLOCK, &set, &before));
  SHOW_NUMBER(sigismember(&before, SIGUSR1));
  SHOW_ERROR(pthread_sigmask(77, &set, 0));
  SHOW_ERRNO(sigprocmask(77, &set, 0));
  SHOW_ERRNO(sigprocmask(77, 0, &before));
  raise(SIGUSR1);
  SHOW_ERRNO(kill(getpid(), SIGUSR1));
  SHOW_NUMBER(times);
  pthread_t a;
  pthread_create(&a, 0, inherit, 0);
  pthread_join(a, 0);
  pthread_sigmask(SIG_BLOCK, 0, &before);
  SHOW_NUMBER(sigismember(&before, SIGUSR1));
  SHOW_ERROR(sigwait(&set, &taken));
  SHOW_NUMBER(taken == SIGUSR1);
  sigpending(&before);
  SHOW_NUMBER(times);
  SHOW_NUMBER(sigismember(&before, SIGUSR1));
  struct timespec none = {0, 0};
  while (sigtimedwait(&set, 0, &none) > 0) {
  }
  SHOW_ERRNO(sigtimedwait(&set, 0, &none));
  raise(SIGUSR1);
  sigemptyset(&before);
  SHOW_ERRNO(sigsuspend(&before));
  SHOW_NUMBER(times);
  raise(SIGUSR1);
  SHOW_ERRNO(sigprocmask(SIG_UNBLOCK, &set, 0));
  SHOW_NUMBER(times);
  sigfillset(&set);
  sigprocmask(SIG_SETMASK, &set, 0);
  sigprocmask(SIG_SETMASK, 0, &set);
  SHOW_NUMBER(sigismember(&set, SIGKILL));
  SHOW_NUMBER(sigismember(&set, SIGSTOP));
  SHOW_NUMBER(sigismember(&set, SIGSEGV));
  sigemptyset(&set);
  sigprocmask(SIG_SETMASK, &set, 0);

  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = informed;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR2, &action, 0);
  kill(getpid(), SIGUSR2);
  SHOW_NUMBER(code == SI_USER);
  raise(SIGUSR2);
  SHOW_NUMBER(code == SI_TKILL);
  union sigval sent = {.sival_int = 42};
  SHOW_ERRNO(sigqueue(getpid(), SIGUSR2, sent));
  SHOW_NUMBER(code == SI_QUEUE);
  SHOW_NUMBER(value);
}
