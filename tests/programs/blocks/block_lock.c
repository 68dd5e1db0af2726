// A lock made of an atomic block that assumes it to be free, as programs of SV-COMP have it.
// expect: verified
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int locked, inside, count;

static void lock(void) {
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(locked == 0);
  locked = 1;
  __VERIFIER_atomic_end();
}
static void unlock(void) {
  __VERIFIER_atomic_begin();
  locked = 0;
  __VERIFIER_atomic_end();
}

static void* work(void* p) {
  for (int i = 0; i < 2; ++i) {
    lock();
    assert(++inside == 1);
    ++count;
    --inside;
    unlock();
  }
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count == 4);
}
