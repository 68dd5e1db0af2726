// What the compiler puts where no way leads.
// expect: finding signal line here
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* set(void* unused) {
  if (atomic_fetch_add(&x, 1) == 1) __builtin_trap();  // here
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, set, 0);
  pthread_create(&b, 0, set, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
