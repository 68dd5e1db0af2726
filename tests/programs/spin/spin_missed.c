// The flag is up for a moment only: who does not look in time waits for ever.
// expect: finding livelock
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int pulse;

static void* beat(void* unused) {
  atomic_store(&pulse, 1);
  atomic_store(&pulse, 0);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, beat, 0);
  while (!atomic_load(&pulse)) sched_yield();
  pthread_join(a, 0);
}
