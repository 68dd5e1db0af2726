// Where races are explored, a race is not a finding by itself, if nothing comes of it.
// options: --races=explore
// expect: verified
#include <assert.h>
#include <pthread.h>

static long x, y, protected_by_join;

static void* one(void* unused) {
  x = 1;
  protected_by_join = y;
  return unused;
}
static void* other(void* unused) {
  y = 1;
  assert(x == 0 || x == 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 1 && protected_by_join <= 1);
}
