// As in SV-COMP: an unknown number is 0 or 1, and both are explored under all schedules.
// expect: finding assertion
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

static atomic_int x;

static void* set(void* unused) {
  atomic_store(&x, __VERIFIER_nondet_int());
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, set, 0);
  const int mine = __VERIFIER_nondet_int();
  if (mine == 1 && atomic_load(&x) == 1) __VERIFIER_error();
  pthread_join(a, 0);
}
