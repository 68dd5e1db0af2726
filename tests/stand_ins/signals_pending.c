// Signals that are pending: which is taken first, how often, and which are forgotten.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "show.h"

static char taken[64];
static int count;
static int values[16], value_count;

static void take(int number) {
  taken[count++] = (char)(number == SIGUSR1   ? 'a'
                          : number == SIGUSR2 ? 'b'
                          : number == SIGCHLD ? 'c'
                                              : '0' + (number - SIGRTMIN));
}
static void take_value(int number, siginfo_t* info, void* unused) {
  (void)unused;
  take(number);
  values[value_count++] = info->si_value.sival_int;
}

static void handle(int number, int masked) {
  struct sigaction a;
  memset(&a, 0, sizeof a);
  a.sa_handler = take;
  if (masked != 0) sigaddset(&a.sa_mask, masked);
  sigaction(number, &a, 0);
}
static void handle_value(int number) {
  struct sigaction a;
  memset(&a, 0, sizeof a);
  a.sa_sigaction = take_value;
  a.sa_flags = SA_SIGINFO;
  sigaction(number, &a, 0);
}
static void mask(int how, int first, int second) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, first);
  if (second != 0) sigaddset(&set, second);
  pthread_sigmask(how, &set, 0);
}
static int is_pending(int number) {
  sigset_t set;
  sigpending(&set);
  return sigismember(&set, number);
}
static void queue(int number, int value) {
  union sigval v;
  v.sival_int = value;
  SHOW_ERRNO(sigqueue(getpid(), number, v));
}
static void show(const char* what) {
  printf("> %s: %s", what, taken);
  for (int k = 0; k < value_count; ++k) printf(" %d", values[k]);
  printf("\n");
  memset(taken, 0, sizeof taken);
  count = value_count = 0;
}

static void raise_both(int first, int second, const char* what) {
  mask(SIG_BLOCK, SIGUSR1, SIGUSR2);
  raise(first);
  raise(second);
  mask(SIG_UNBLOCK, SIGUSR1, SIGUSR2);
  show(what);
}

static void forget(void) {
  mask(SIG_BLOCK, SIGUSR1, 0);
  raise(SIGUSR1);
  kill(getpid(), SIGUSR1);
  SHOW_NUMBER(is_pending(SIGUSR1));
  signal(SIGUSR1, SIG_IGN);
  SHOW_NUMBER(is_pending(SIGUSR1));
  handle(SIGUSR1, 0);
  mask(SIG_UNBLOCK, SIGUSR1, 0);
  show("ignored meanwhile");
  mask(SIG_BLOCK, SIGCHLD, 0);
  handle(SIGCHLD, 0);
  raise(SIGCHLD);
  signal(SIGCHLD, SIG_DFL);
  SHOW_NUMBER(is_pending(SIGCHLD));
  handle(SIGCHLD, 0);
  mask(SIG_UNBLOCK, SIGCHLD, 0);
  show("ignored by default meanwhile");
  signal(SIGUSR1, SIG_IGN);
  mask(SIG_BLOCK, SIGUSR1, 0);
  raise(SIGUSR1);
  SHOW_NUMBER(is_pending(SIGUSR1));
  handle(SIGUSR1, 0);
  mask(SIG_UNBLOCK, SIGUSR1, 0);
  show("sent while ignored and blocked");
}

static void* queue_for_main(void* main_thread) {
  SHOW_ERROR(pthread_kill(*(pthread_t*)main_thread, SIGRTMIN));
  SHOW_ERROR(pthread_kill(*(pthread_t*)main_thread, SIGRTMIN));
  return 0;
}

int main(void) {
  handle(SIGUSR1, 0);
  handle(SIGUSR2, 0);
  raise_both(SIGUSR1, SIGUSR2, "two at once");
  raise_both(SIGUSR2, SIGUSR1, "two at once, sent the other way round");
  raise_both(SIGUSR1, SIGUSR1, "one twice");
  mask(SIG_BLOCK, SIGUSR1, 0);
  raise(SIGUSR1);
  kill(getpid(), SIGUSR1);
  mask(SIG_UNBLOCK, SIGUSR1, 0);
  show("for the thread and for the process");
  handle(SIGUSR1, SIGUSR2);
  raise_both(SIGUSR2, SIGUSR1, "the first masks the second");
  handle(SIGUSR1, 0);
  handle(SIGUSR2, SIGUSR1);
  raise_both(SIGUSR2, SIGUSR1, "the second masks the first");
  handle(SIGUSR2, 0);
  forget();

  handle_value(SIGRTMIN);
  handle_value(SIGRTMIN + 1);
  handle_value(SIGUSR1);
  mask(SIG_BLOCK, SIGRTMIN, SIGRTMIN + 1);
  for (int k = 0; k < 3; ++k) queue(SIGRTMIN, 10 + k);
  queue(SIGRTMIN + 1, 99);
  mask(SIG_UNBLOCK, SIGRTMIN, SIGRTMIN + 1);
  show("real-time signals");
  mask(SIG_BLOCK, SIGUSR1, 0);
  for (int k = 0; k < 3; ++k) queue(SIGUSR1, 50 + k);
  mask(SIG_UNBLOCK, SIGUSR1, 0);
  show("others");
  mask(SIG_BLOCK, SIGRTMIN, 0);
  for (int k = 0; k < 3; ++k) queue(SIGRTMIN, k);
  sigset_t set;
  siginfo_t info;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  SHOW_NUMBER(sigwaitinfo(&set, &info) == SIGRTMIN);
  SHOW_NUMBER(info.si_value.sival_int);
  SHOW_NUMBER(is_pending(SIGRTMIN));
  signal(SIGRTMIN, SIG_IGN);
  SHOW_NUMBER(is_pending(SIGRTMIN));
  handle_value(SIGRTMIN);
  pthread_t self = pthread_self(), t;
  pthread_create(&t, 0, queue_for_main, &self);
  pthread_join(t, 0);
  mask(SIG_UNBLOCK, SIGRTMIN, 0);
  SHOW_NUMBER(count);
  SHOW_ERRNO(raise(0));
  SHOW_ERRNO(raise(-3));
  SHOW_ERRNO(raise(65));
  SHOW_ERRNO(kill(getpid(), -1));
  SHOW_ERRNO(kill(getpid(), 0));
  SHOW_ERROR(pthread_kill(pthread_self(), 0));
  SHOW_ERROR(pthread_kill(pthread_self(), 65));
  return 0;
}
