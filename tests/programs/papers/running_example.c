// Figure 1 of Albert et al. 2023: two writers, and a reader that looks twice.
// expect: verified optimal=12 observers=11
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x, y;

static void* p(void* unused) {
  atomic_store(&y, 1);
  atomic_store(&x, 1);
  return unused;
}
static void* q(void* unused) {
  atomic_store(&x, 2);
  return unused;
}
static void* r(void* unused) {
  (void)unused;
  const long first = atomic_load(&x);
  return (void*)(first + atomic_load(&x));
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
