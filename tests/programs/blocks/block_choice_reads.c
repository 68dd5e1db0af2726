// How many choices a block makes hangs on what it reads, and what they lead to on their order.
// expect: verified
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>

static int x, y, seen;

static void* choose_as_told(void* p) {
  heddle_atomic_begin();
  const int n = x;
  for (int i = 0; i < n; ++i) y += (int)heddle_choose(2) << i;
  seen = n;
  heddle_atomic_end();
  return p;
}
static void* tell(void* p) {
  heddle_atomic_begin();
  x = 1 + (int)heddle_choose(2);
  heddle_atomic_end();
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, choose_as_told, 0);
  pthread_create(&b, 0, tell, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x >= 1 && x <= 2 && (seen == 0 || seen == x) && y < 1 << seen);
}
