// A waiting loop with an atomic block that writes what is there.
// options: --max-steps 3000
// expect: verified
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int x = -1;

static int exchange(int v) {
  __VERIFIER_atomic_begin();
  int old = x;
  x = v;
  __VERIFIER_atomic_end();
  return old;
}

static void *other(void *unused) {
  exchange(5);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  while (exchange(-1) < 0) {
  }
  pthread_join(t, 0);
}
