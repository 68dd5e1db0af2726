// As in SV-COMP: a function whose name begins with __VERIFIER_atomic_ is one step.
// expect: verified
#include <assert.h>
#include <pthread.h>

static int x;

static void __VERIFIER_atomic_add(int amount) {
  const int seen = x;
  x = seen + amount;
}
static void* add(void* unused) {
  __VERIFIER_atomic_add(1);
  __VERIFIER_atomic_add(10);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 22);
}
