// The program gives up by itself.
// expect: finding abort
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void* set(void* unused) {
  if (atomic_exchange(&x, 1) == 1) abort();
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, set, 0);
  pthread_create(&b, 0, set, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
