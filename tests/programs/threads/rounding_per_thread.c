// A thread begins with the rounding mode of its creator, and has its own from there on.
// cflags: -lm
// expect: verified optimal=2 observers=2
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* work(void* mode) {
  assert(fegetround() == FE_UPWARD);
  fesetround((int)(long)mode);
  atomic_fetch_add(&x, 1);
  assert(fegetround() == (int)(long)mode);
  return 0;
}

int main(void) {
  pthread_t a, b;
  fesetround(FE_UPWARD);
  pthread_create(&a, 0, work, (void*)FE_DOWNWARD);
  pthread_create(&b, 0, work, (void*)FE_TOWARDZERO);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(fegetround() == FE_UPWARD);
}
