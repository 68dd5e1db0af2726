// A local variable is used by way of a pointer when its thread has ended.
// expect: finding use-after-free line here
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
  pthread_join(a, 0);
  *pointer = 42;  // here
}
