// Runs in which an assumption does not hold are given up, and their ending does not count.
// expect: verified optimal=1 observers=1
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* set(void* unused) {
  atomic_store(&x, 1);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, set, 0);
  heddle_assume(atomic_load(&x) == 1);
  heddle_yield();
  pthread_join(a, 0);
  assert(atomic_load(&x) == 1);
}
