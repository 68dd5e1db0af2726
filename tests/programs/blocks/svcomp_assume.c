// As in SV-COMP: only the runs in which the assumption holds count.
// expect: verified optimal=1 observers=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int);

static atomic_int x;

static void* set(void* unused) {
  atomic_store(&x, 1);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, set, 0);
  const int seen = atomic_load(&x);
  __VERIFIER_assume(seen == 1);
  assert(seen == 1);
  pthread_join(a, 0);
}
