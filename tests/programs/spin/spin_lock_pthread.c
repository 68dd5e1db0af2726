// Spin locks of the library: one thread at a time, in either order.
// expect: verified optimal=2 observers=2
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t l;
static long x;

static void* add(void* unused) {
  pthread_spin_lock(&l);
  x = x + 1;
  pthread_spin_unlock(&l);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2 && pthread_spin_destroy(&l) == 0);
}
