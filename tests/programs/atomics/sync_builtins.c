// The older builtins are atomic operations as well.
// expect: verified
#include <assert.h>
#include <pthread.h>

static long x, data, done;
static int held;

static void* add(void* unused) {
  __sync_fetch_and_add(&x, 2);
  while (__sync_lock_test_and_set(&held, 1)) {
  }
  data = data + 1;
  __sync_lock_release(&held);
  __sync_synchronize();
  if (__sync_bool_compare_and_swap(&done, 0, 1)) __sync_sub_and_fetch(&x, 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 3 && data == 2 && done == 1);
}
