// Which of two writes of the whole was last is seen behind a write of a part: in its other part.
// expect: finding assertion
#include <assert.h>
#include <pthread.h>

static union {
  unsigned long all;
  unsigned halves[2];
} u;

static void *first(void *unused) {
  __atomic_store_n(&u.all, 0, __ATOMIC_SEQ_CST);
  return unused;
}
static void *second(void *unused) {
  __atomic_store_n(&u.all, 2, __ATOMIC_SEQ_CST);
  __atomic_store_n(&u.halves[1], 2, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  assert(__atomic_load_n(&u.all, __ATOMIC_SEQ_CST) != 2UL << 32);
  return 0;
}
