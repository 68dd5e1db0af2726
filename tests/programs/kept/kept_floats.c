// How a thread rounds, its errno and its jump buffer are its own from step to step.
// expect: verified optimal=20 observers=20
// cflags: -lm
#include <assert.h>
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

static atomic_int x;

static void* worker(void* mode) {
  jmp_buf back;
  volatile int rounds = 0;
  volatile double half = 0.5;
  fesetround((int)(long)mode);
  errno = (int)(long)mode + 1;
  setjmp(back);
  atomic_fetch_add(&x, 1);
  assert(fegetround() == (int)(long)mode && errno == (int)(long)mode + 1);
  assert(rint(half) == ((int)(long)mode == FE_UPWARD ? 1 : 0));
  if (++rounds < 3) longjmp(back, 1);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, (void*)FE_UPWARD);
  pthread_create(&b, 0, worker, (void*)FE_DOWNWARD);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(fegetround() == FE_TONEAREST && x == 6);
}
