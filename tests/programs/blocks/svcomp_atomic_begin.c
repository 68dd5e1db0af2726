// As in SV-COMP: what is between begin and end is one step, so two variables change together.
// expect: verified
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x, y;

static void* move(void* unused) {
  for (int i = 0; i < 2; ++i) {
    __VERIFIER_atomic_begin();
    ++x;
    --y;
    __VERIFIER_atomic_end();
  }
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, move, 0);
  __VERIFIER_atomic_begin();
  assert(x + y == 0);
  __VERIFIER_atomic_end();
  pthread_join(a, 0);
  assert(x == 2 && y == -2);
}
