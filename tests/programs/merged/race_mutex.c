// Both orders of the sections lead to one state; the accesses race in one of them only.
// expect: finding data-race
#include <pthread.h>
#include <stdatomic.h>

static long u, seen;
static atomic_int steps;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* one(void* unused) {
  pthread_mutex_lock(&m);
  seen = u;
  pthread_mutex_unlock(&m);
  return unused;
}
static void* other(void* unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  atomic_fetch_add_explicit(&steps, 1, memory_order_relaxed);
  u = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
