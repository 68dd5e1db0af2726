// As in SV-COMP: a lock made of an assumption in an atomic section excludes.
// expect: verified
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);

static int held, x;

static void __VERIFIER_atomic_acquire(void) {
  __VERIFIER_assume(held == 0);
  held = 1;
}
static void __VERIFIER_atomic_release(void) {
  assert(held == 1);
  held = 0;
}
static void __VERIFIER_atomic_set(int value) { x = value; }
static int __VERIFIER_atomic_get(void) { return x; }

static void* work(void* value) {
  __VERIFIER_atomic_acquire();
  __VERIFIER_atomic_set((int)(long)value);
  assert(__VERIFIER_atomic_get() == (int)(long)value);
  __VERIFIER_atomic_release();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, (void*)1);
  pthread_create(&b, 0, work, (void*)2);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
