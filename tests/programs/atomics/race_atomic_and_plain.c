// One thread reads atomically what another writes as if it were its own.
// expect: finding data-race
#include <pthread.h>

long x;

static void* write_it(void* unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, write_it, 0);
  long seen = __atomic_load_n(&x, __ATOMIC_SEQ_CST);
  pthread_join(a, 0);
  return seen > 1;
}
