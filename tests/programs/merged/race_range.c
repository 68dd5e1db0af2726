// As race_mutex.c: a large array, of which one element is written.
// expect: finding data-race
#include <pthread.h>
#include <stdatomic.h>

static long u[4096], seen[4096];
static atomic_int steps;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* one(void* unused) {
  pthread_mutex_lock(&m);
  for (int k = 0; k < 4096; ++k) seen[k] = u[k];
  pthread_mutex_unlock(&m);
  return unused;
}
static void* other(void* unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  atomic_fetch_add_explicit(&steps, 1, memory_order_relaxed);
  u[2048] = 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
