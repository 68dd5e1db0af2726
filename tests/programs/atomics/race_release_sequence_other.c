// expect: finding data-race
// cflags: -std=c17
// Even by the old rules, a relaxed store of another thread ends a release sequence; that of the
// first does not begin it again.
#include <pthread.h>
#include <stdatomic.h>

int x;
atomic_int y;

void* a(void* p) {
  x = 1;
  atomic_store_explicit(&y, 1, memory_order_release);
  while (atomic_load_explicit(&y, memory_order_relaxed) != 2) {
  }
  atomic_store_explicit(&y, 3, memory_order_relaxed);
  return p;
}
void* other(void* p) {
  while (atomic_load_explicit(&y, memory_order_relaxed) != 1) {
  }
  atomic_store_explicit(&y, 2, memory_order_relaxed);
  return p;
}
void* b(void* p) {
  if (atomic_load_explicit(&y, memory_order_acquire) == 3) x = 2;
  return p;
}

int main(void) {
  pthread_t s, t, u;
  pthread_create(&s, 0, a, 0);
  pthread_create(&t, 0, b, 0);
  pthread_create(&u, 0, other, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
