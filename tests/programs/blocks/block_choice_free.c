// Only one alternative of the block has to do with what the other thread does.
// expect: verified optimal=3 observers=3
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void* work(void* unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  heddle_atomic_begin();
  if (heddle_choose(2))
    x = 2;
  else
    y = 1;
  heddle_atomic_end();
  pthread_join(a, 0);
  return x + y > 3;
}
