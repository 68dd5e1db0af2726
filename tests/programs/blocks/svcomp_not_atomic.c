// The same two variables without the atomic section: one can be seen without the other.
// options: --races=explore
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>

static int x, y;

static void* move(void* unused) {
  ++x;
  --y;
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, move, 0);
  const int seen_x = x, seen_y = y;
  assert(seen_x + seen_y == 0);  // here
  pthread_join(a, 0);
}
