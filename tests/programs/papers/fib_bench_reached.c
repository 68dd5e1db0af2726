// fib_bench of SV-COMP: the sixth Fibonacci number is reached by one schedule.
// options: --races=explore
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>

static int i = 1, j = 1;

__attribute__((noinline)) static void add(int* to, int* from) { *to = *to + *from; }
static void* first(void* unused) {
  for (int k = 0; k < 2; ++k) add(&i, &j);
  return unused;
}
static void* second(void* unused) {
  for (int k = 0; k < 2; ++k) add(&j, &i);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(i < 8 && j < 8);  // here
}
