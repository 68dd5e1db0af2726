// The last choice of the second of two blocks is the wrong one.
// expect: finding assertion line here
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>

static int sum;

static void* work(void* p) {
  heddle_atomic_begin();
  sum += (int)heddle_choose(2);
  heddle_atomic_end();
  heddle_atomic_begin();
  for (int i = 0; i < 2; ++i) sum += (int)heddle_choose(3);
  heddle_atomic_end();
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(sum < 10);  // here
}
