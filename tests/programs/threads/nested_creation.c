// Threads that create threads, concurrently: each has the same number in every run.
// expect: verified optimal=2 observers=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x;

static void* child(void* value) {
  atomic_fetch_add(&x, (long)value);
  return 0;
}
static void* parent(void* value) {
  pthread_t t;
  pthread_create(&t, 0, child, value);
  pthread_join(t, 0);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, parent, (void*)1);
  pthread_create(&b, 0, parent, (void*)2);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(atomic_load(&x) == 3);
}
