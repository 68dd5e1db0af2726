// Two threads write two variables in opposite order, and no thread looks.
// expect: verified optimal=3 observers=1
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x, y;

static void* one(void* unused) {
  atomic_store(&x, 1);
  atomic_store(&y, 2);
  return unused;
}
static void* other(void* unused) {
  atomic_store(&y, 1);
  atomic_store(&x, 2);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
