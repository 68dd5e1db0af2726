// As race_mutex.c: the first to come calls the function, and the other one learns of it.
// expect: finding data-race
#include <pthread.h>
#include <stdatomic.h>

static long u, seen;
static atomic_int steps;
static pthread_once_t o = PTHREAD_ONCE_INIT;
static void nothing(void) {}

static void* one(void* unused) {
  seen = u;
  pthread_once(&o, nothing);
  return unused;
}
static void* other(void* unused) {
  pthread_once(&o, nothing);
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
