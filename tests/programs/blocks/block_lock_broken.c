// The same lock, but looked at in one block and taken in another.
// expect: finding assertion or data-race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int locked;
static atomic_int inside;

static void lock(void) {
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(locked == 0);
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  locked = 1;
  __VERIFIER_atomic_end();
}

static void* work(void* p) {
  lock();
  assert(++inside == 1);
  --inside;
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
