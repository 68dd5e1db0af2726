// Of which the published context-sensitive algorithm of 2017 loses an outcome.
// expect: verified optimal=9 observers=7
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x, y;

static void* p(void* unused) {
  (void)unused;
  const long first = atomic_load(&y);
  return (void*)(first + atomic_load(&x));
}
static void* q(void* unused) {
  atomic_store(&x, 0);
  atomic_store(&y, 1);
  return unused;
}
static void* r(void* unused) {
  atomic_store(&y, 0);
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, p, 0);
  pthread_create(&b, 0, q, 0);
  pthread_create(&c, 0, r, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
}
