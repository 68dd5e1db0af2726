// A lock that waits longer and longer between attempts, counting in a variable that the compiler
// must not leave out, then gives way: as many runs as without.
// expect: verified optimal=36 observers=36
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_uint word;
static int entered;

static unsigned delay(unsigned attempts) {
  if (attempts < 7) {
    volatile int i;
    for (i = 0; i != 1 << attempts; i++) {
    }
    return attempts + 1;
  }
  sched_yield();
  return attempts;
}

static void lock(void) {
  unsigned attempts = 0, seen = atomic_load(&word);
  while ((seen & 1) != 0 || !atomic_compare_exchange_strong(&word, &seen, seen | 1)) {
    attempts = delay(attempts);
    seen = atomic_load(&word);
  }
}

static void* enter(void* unused) {
  lock();
  entered++;
  atomic_fetch_and(&word, ~1u);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int n = 0; n < 2; ++n) pthread_create(&threads[n], 0, enter, 0);
  enter(0);
  for (int n = 0; n < 2; ++n) pthread_join(threads[n], 0);
  assert(entered == 3);
}
