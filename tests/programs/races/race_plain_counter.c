// Two threads add to a plain counter: a race, whatever the sum.
// expect: finding data-race line here
#include <pthread.h>

long x;

static void* add(void* unused) {
  x = x + 1;  // here
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
