// expect: finding assertion
// Atomic updates by inline assembly are steps.
#include <assert.h>
#include <pthread.h>

int n;

static int fetch_add(int* p, int v) {
  __asm__ __volatile__("lock; xaddl %0,%1" : "+r"(v), "+m"(*p) : : "memory");
  return v;
}

void* work(void* p) {
  int old = fetch_add(&n, 0);
  fetch_add(&n, old == 0 ? 1 : 10);
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(n != 2);
}
