// Threads and mutexes of C11.
// expect: verified optimal=2 observers=2
#include <assert.h>
#include <threads.h>

static mtx_t m;
static long x;

static int add(void* amount) {
  assert(mtx_lock(&m) == thrd_success);
  x = x + *(long*)amount;
  assert(mtx_unlock(&m) == thrd_success);
  if (*(long*)amount == 2) thrd_exit(20);
  return 10;
}

int main(void) {
  thrd_t a, b;
  long one = 1, two = 2;
  int from_a = 0, from_b = 0;
  assert(mtx_init(&m, mtx_plain) == thrd_success);
  assert(thrd_create(&a, add, &one) == thrd_success);
  assert(thrd_create(&b, add, &two) == thrd_success);
  assert(!thrd_equal(a, b) && !thrd_equal(a, thrd_current()));
  assert(thrd_join(a, &from_a) == thrd_success && thrd_join(b, &from_b) == thrd_success);
  assert(from_a == 10 && from_b == 20 && x == 3);
  mtx_destroy(&m);
}
