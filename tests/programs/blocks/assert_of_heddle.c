// heddle_assert stays where assert is switched off.
// cflags: -DNDEBUG
// expect: finding assertion line here
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
  const int seen = atomic_load(&x);
  assert(seen == 7);
  heddle_assert(seen == 0);  // here
  pthread_join(a, 0);
}
