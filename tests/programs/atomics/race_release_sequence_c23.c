// expect: finding data-race
// cflags: -std=c23
// In C23, a relaxed store of the same thread ends the release sequence.
#include <pthread.h>
#include <stdatomic.h>

int x;
atomic_int y;

void* a(void* p) {
  x = 1;
  atomic_store_explicit(&y, 1, memory_order_release);
  atomic_store_explicit(&y, 2, memory_order_relaxed);
  return p;
}
void* b(void* p) {
  if (atomic_load_explicit(&y, memory_order_acquire) == 2) x = 2;
  return p;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, a, 0);
  pthread_create(&t, 0, b, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
}
