// The block is read in a section that may come first or second, and freed without one.
// expect: finding data-race
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static long *u, seen;
static atomic_int steps, freed;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* one(void* unused) {
  pthread_mutex_lock(&m);
  seen = *u;
  pthread_mutex_unlock(&m);
  atomic_store_explicit(&freed, 1, memory_order_relaxed);
  return unused;
}
static void* other(void* unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  atomic_fetch_add_explicit(&steps, 1, memory_order_relaxed);
  if (atomic_load_explicit(&freed, memory_order_relaxed)) free(u);
  return unused;
}

int main(void) {
  u = malloc(sizeof *u);
  *u = 1;
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
