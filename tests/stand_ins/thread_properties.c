// What a thread is told of itself: its mask, name, priority and processors.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "show.h"

static void* show_mask(void* unused) {
  sigset_t set;
  pthread_sigmask(SIG_BLOCK, 0, &set);
  SHOW_NUMBER(sigismember(&set, SIGUSR1));
  SHOW_NUMBER(sigismember(&set, SIGUSR2));
  return unused;
}
static void show_name(pthread_t thread) {
  char name[32] = "?";
  SHOW_ERROR(pthread_getname_np(thread, name, sizeof name));
  printf("> %s\n", name);
}
static void* be_named(void* unused) {
  show_name(pthread_self());
  SHOW_ERROR(pthread_setname_np(pthread_self(), "worker"));
  show_name(pthread_self());
  return unused;
}
static void show_priority(void) {
  struct sched_param parameters;
  int policy;
  SHOW_ERROR(pthread_getschedparam(pthread_self(), &policy, &parameters));
  SHOW_NUMBER(policy);
  SHOW_NUMBER(parameters.sched_priority);
}
static void* inherit(void* unused) {
  show_priority();
  cpu_set_t set;
  SHOW_ERROR(pthread_getaffinity_np(pthread_self(), sizeof set, &set));
  SHOW_NUMBER(CPU_COUNT(&set));
  return unused;
}

static cpu_set_t early;
__attribute__((constructor)) static void look_early(void) {
  sched_getaffinity(0, sizeof early, &early);
}

int main(void) {
  pthread_t t;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  pthread_create(&t, 0, show_mask, 0);
  pthread_join(t, 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  SHOW_ERROR(pthread_attr_setsigmask_np(&attributes, &set));
  pthread_create(&t, &attributes, show_mask, 0);
  pthread_join(t, 0);
  show_mask(0);

  char name[16];
  SHOW_ERROR(pthread_setname_np(pthread_self(), "0123456789abcdef"));
  SHOW_ERROR(pthread_setname_np(pthread_self(), "0123456789abcde"));
  SHOW_ERROR(pthread_getname_np(pthread_self(), name, 15));
  SHOW_ERROR(pthread_getname_np(pthread_self(), name, 16));
  show_name(pthread_self());
  SHOW_NUMBER(prctl(PR_SET_NAME, "a name that is too long"));
  show_name(pthread_self());
  SHOW_NUMBER(prctl(PR_SET_NAME, "short"));
  SHOW_NUMBER(prctl(PR_GET_NAME, name));
  printf("> %s\n", name);
  pthread_create(&t, 0, be_named, 0);
  pthread_join(t, 0);
  show_name(pthread_self());

  show_priority();
  struct sched_param parameters = {50};
  SHOW_ERROR(pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameters));
  SHOW_ERROR(pthread_setschedprio(pthread_self(), 1));
  parameters.sched_priority = 0;
  SHOW_ERROR(pthread_setschedparam(pthread_self(), 99, &parameters));
  SHOW_ERROR(pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters));
  SHOW_ERROR(pthread_setschedparam(pthread_self(), SCHED_BATCH, &parameters));
  show_priority();
  cpu_set_t processors, all, one;
  SHOW_NUMBER(sched_getaffinity(0, sizeof all, &all));
  SHOW_NUMBER(CPU_COUNT(&all));
  CPU_ZERO(&one);
  SHOW_ERROR(pthread_setaffinity_np(pthread_self(), sizeof one, &one));
  SHOW_ERROR(pthread_getaffinity_np(pthread_self(), 1, &processors));
  SHOW_ERROR(pthread_getaffinity_np(pthread_self(), sizeof processors, &processors));
  for (int k = 0; k < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++k)
    if (CPU_ISSET(k, &processors)) CPU_SET(k, &one);
  SHOW_ERROR(pthread_setaffinity_np(pthread_self(), sizeof one, &one));
  SHOW_ERROR(pthread_getaffinity_np(pthread_self(), sizeof processors, &processors));
  SHOW_NUMBER(CPU_EQUAL(&processors, &one));
  pthread_create(&t, 0, inherit, 0);
  pthread_join(t, 0);
  SHOW_NUMBER(sched_getaffinity(0, sizeof processors, &processors));
  SHOW_NUMBER(CPU_EQUAL(&processors, &one));
  SHOW_NUMBER(sched_getaffinity(0, 1, &processors));
  SHOW_NUMBER(syscall(SYS_sched_getaffinity, gettid(), sizeof processors, &processors) > 0);
  SHOW_NUMBER(CPU_ISSET(0, &processors) == CPU_ISSET(0, &one));
  SHOW_NUMBER(sched_setaffinity(0, sizeof all, &all));
  SHOW_NUMBER(sched_getaffinity(gettid(), sizeof processors, &processors));
  SHOW_NUMBER(CPU_EQUAL(&processors, &all));
  SHOW_NUMBER(syscall(SYS_sched_setaffinity, 0, sizeof one, &one));
  SHOW_NUMBER(pthread_getaffinity_np(pthread_self(), sizeof processors, &processors));
  SHOW_NUMBER(CPU_EQUAL(&processors, &one));
  CPU_ZERO(&one);
  SHOW_NUMBER(sched_setaffinity(0, sizeof one, &one));
  SHOW_NUMBER(CPU_COUNT(&early));
  SHOW_NUMBER(sched_setaffinity(1 << 30, sizeof all, &all));
  return 0;
}
