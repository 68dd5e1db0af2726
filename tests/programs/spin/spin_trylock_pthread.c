// A spin lock that a thread holds is tried in vain: then there is one addition less.
// expect: finding assertion line here
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t l;
static long x;

static void* add(void* unused) {
  const int result = pthread_spin_trylock(&l);
  assert(result == 0 || result == EBUSY);
  if (result == 0) {
    x = x + 1;
    pthread_spin_unlock(&l);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);  // here
}
