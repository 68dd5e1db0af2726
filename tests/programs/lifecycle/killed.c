// The process is gone; the schedule that did it is known.
// expect: finding died
#define _XOPEN_SOURCE 700
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_long x;

static void* set(void* unused) {
  atomic_store(&x, 1);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, set, 0);
  if (atomic_load(&x) == 1) kill(getpid(), SIGKILL);
  pthread_join(a, 0);
}
