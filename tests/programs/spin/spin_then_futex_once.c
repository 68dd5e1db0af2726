// The same as spin_then_futex.c with one round: as many runs.
// expect: verified optimal=8
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int state;  // 0 free, 1 taken, 2 taken and waited for
static int counter;

static void lock(void) {
  for (int i = 0; i < 1; ++i) {
    int free = 0;
    if (atomic_compare_exchange_strong(&state, &free, 1)) return;
    __builtin_ia32_pause();
  }
  while (atomic_exchange(&state, 2) != 0) syscall(SYS_futex, &state, FUTEX_WAIT, 2, 0, 0, 0);
}

static void unlock(void) {
  if (atomic_exchange(&state, 0) == 2) syscall(SYS_futex, &state, FUTEX_WAKE, 1, 0, 0, 0);
}

static void *work(void *unused) {
  lock();
  ++counter;
  unlock();
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2);
}
