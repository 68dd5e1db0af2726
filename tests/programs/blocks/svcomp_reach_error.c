// As in SV-COMP: the error function is reached.
// expect: finding assertion
#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);

static atomic_int x;

static void* set(void* unused) {
  atomic_store(&x, 1);
  atomic_store(&x, 2);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, set, 0);
  if (atomic_load(&x) == 1) reach_error();
  pthread_join(a, 0);
}
