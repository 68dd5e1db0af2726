// The divisor can be gone when it is used.
// expect: finding signal line here
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor = 2;
int result;

static void* clear(void* unused) {
  atomic_store(&divisor, 0);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, clear, 0);
  if (atomic_load(&divisor) != 0) result = 10 / atomic_load(&divisor);  // here
  pthread_join(a, 0);
}
