// expect: finding use-after-free line here
// A pointer to a variable of a thread that has ended.
#include <pthread.h>
#include <stdatomic.h>

_Atomic(int*) p;

void* work(void* q) {
  int x = 0;
  p = &x;
  return q;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
  *p = 42;  // here
}
