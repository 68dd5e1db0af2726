// Two readers, one of which is ordered before the write: the race with the other is not forgotten.
// expect: finding data-race
#include <pthread.h>

long x;

static void* look(void* unused) {
  (void)unused;
  return (void*)x;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, look, 0);
  pthread_create(&b, 0, look, 0);
  pthread_join(b, 0);
  x = 1;
  pthread_join(a, 0);
}
