// Condition variables of C11: signal, broadcast, and a wait with a time limit.
// expect: verified
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t m;
static cnd_t filled, emptied;
static long slot;

static int produce(void* unused) {
  (void)unused;
  for (long i = 1; i <= 2; ++i) {
    mtx_lock(&m);
    while (slot != 0) cnd_wait(&emptied, &m);
    slot = i;
    cnd_signal(&filled);
    mtx_unlock(&m);
  }
  return 0;
}

int main(void) {
  thrd_t a;
  struct timespec until;
  mtx_init(&m, mtx_plain);
  cnd_init(&filled);
  cnd_init(&emptied);
  thrd_create(&a, produce, 0);
  mtx_lock(&m);
  for (long i = 1; i <= 2; ++i) {
    while (slot == 0) cnd_wait(&filled, &m);
    assert(slot == i);
    slot = 0;
    cnd_broadcast(&emptied);
  }
  timespec_get(&until, TIME_UTC);
  assert(cnd_timedwait(&filled, &m, &until) == thrd_timedout);
  mtx_unlock(&m);
  thrd_join(a, 0);
  cnd_destroy(&filled);
  cnd_destroy(&emptied);
  mtx_destroy(&m);
}
