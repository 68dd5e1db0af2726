// Where races are explored, the accesses of a racing variable are steps like others.
// options: --races=explore
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>

static long x;

static void* add(void* unused) {
  x = x + 1;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);  // here
}
