// Choices in atomic blocks: each is explored, and no thread comes between.
// expect: verified
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static int left = 1, right = 1;
static atomic_int go;

static void move_some(void) {
  heddle_atomic_begin();
  const int n = (int)heddle_choose(3);
  left -= n;
  if (n == 2 && heddle_choose(2)) left += 1, right -= 1;
  right += n;
  heddle_atomic_end();
}

static void* work(void* p) {
  move_some();
  go = 1;
  return p;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  move_some();
  heddle_atomic_begin();
  const int sum = left + right;
  heddle_atomic_end();
  assert(sum == 2);
  pthread_join(a, 0);
  assert(left >= -3 && left <= 1);
}
