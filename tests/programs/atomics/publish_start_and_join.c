// What comes before the creation of a thread happens before it, and all of it before its join.
// expect: verified optimal=1 observers=1
#include <assert.h>
#include <pthread.h>

static long x, y;

static void* grandchild(void* unused) {
  assert(x == 2);
  y = 3;
  return unused;
}
static void* child(void* unused) {
  pthread_t b;
  assert(x == 1);
  x = 2;
  pthread_create(&b, 0, grandchild, 0);
  pthread_join(b, 0);
  assert(y == 3);
  y = 4;
  return unused;
}

int main(void) {
  pthread_t a;
  x = 1;
  pthread_create(&a, 0, child, 0);
  pthread_join(a, 0);
  assert(x == 2 && y == 4);
}
