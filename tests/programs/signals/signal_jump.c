// Jumping out of a handler puts the mask back.
// expect: verified optimal=1 observers=1
#include <assert.h>
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf back;
static int count;
static void handle(int number) {
  ++count;
  siglongjmp(back, number);
}

int main(void) {
  signal(SIGUSR1, handle);
  for (int k = 0; k < 2; ++k)
    if (sigsetjmp(back, 1) == 0) raise(SIGUSR1);
  assert(count == 2);
}
