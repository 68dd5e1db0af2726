// A block cannot be taken back: one that has changed something must not find that it may not be.
// expect: misuse an assumption that does not hold in an atomic block
#include <heddle/heddle.h>
#include <pthread.h>

static int x;

static void* work(void* p) {
  heddle_atomic_begin();
  x = 1;
  heddle_assume(0);
  heddle_atomic_end();
  return p;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
}
