// Two atomic stores whose order no thread but a plain read after the joins sees.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>

static int x;

static void* store_one(void* unused) {
  __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
  return unused;
}

static void* store_two(void* unused) {
  __atomic_store_n(&x, 2, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, store_one, 0);
  pthread_create(&two, 0, store_two, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  assert(x != 1);  // here
}
