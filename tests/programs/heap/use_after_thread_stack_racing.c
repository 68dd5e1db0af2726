// The thread may end before its local variable is used, or after.
// expect: finding use-after-free or data-race
#include <pthread.h>
#include <stdatomic.h>

static int* _Atomic pointer;

static void* work(void* unused) {
  int local = 0;
  pointer = &local;
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  int* p = pointer;
  if (p) *p = 42;
  pthread_join(a, 0);
}
