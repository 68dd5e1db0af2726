// A recursion that has no end if the other thread comes first.
// expect: finding stack-overflow
#include <pthread.h>
#include <stdatomic.h>

static atomic_long limit = 10;

static long depth(const long* above, long last) {
  long next[32] = {*above + 1};
  if (next[0] == last) return last;
  return depth(next, last) + next[0] % 3;
}

static void* lift(void* unused) {
  atomic_store(&limit, -1);
  return unused;
}

int main(void) {
  pthread_t a;
  long zero = 0;
  pthread_create(&a, 0, lift, 0);
  long sum = depth(&zero, atomic_load(&limit));
  pthread_join(a, 0);
  return sum > 100;
}
