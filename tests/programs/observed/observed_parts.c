// A plain read sees which of two threads wrote its first byte last, though one of them wrote
// another byte in between.
// expect: finding assertion
#include <assert.h>
#include <pthread.h>
#include <string.h>

static union {
  unsigned long all;
  unsigned char bytes[8];
} u;

static void *first(void *unused) {
  __atomic_store_n(&u.bytes[0], 1, __ATOMIC_SEQ_CST);
  return unused;
}
static void *second(void *unused) {
  __atomic_store_n(&u.bytes[1], 1, __ATOMIC_SEQ_CST);
  __atomic_store_n(&u.bytes[0], 2, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  unsigned long all;
  memcpy(&all, &u, sizeof all);
  assert(all != 0x101);
  return 0;
}
