// What the creator does after the creation is not ordered with the thread.
// expect: finding data-race
#include <pthread.h>

long x;

static void* look(void* unused) {
  (void)unused;
  return (void*)x;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, look, 0);
  x = 1;
  pthread_join(a, 0);
}
