// One combination of choices, under one order of two steps, is wrong.
// expect: finding assertion line here
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint x;

static void* work(void* unused) {
  const unsigned factor = heddle_choose(4);
  atomic_store(&x, atomic_load(&x) * factor);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  atomic_fetch_add(&x, heddle_choose(3));
  pthread_join(a, 0);
  assert(atomic_load(&x) != 6);  // here
}
