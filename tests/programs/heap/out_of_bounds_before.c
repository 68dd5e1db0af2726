// The element before the first.
// expect: finding out-of-bounds line here
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int left = 1;
int* block;

static void* take(void* unused) {
  block[atomic_fetch_sub(&left, 1) - 1] = 7;  // here
  return unused;
}

int main(void) {
  pthread_t a, b;
  block = calloc(1, sizeof *block);
  pthread_create(&a, 0, take, 0);
  pthread_create(&b, 0, take, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  free(block);
}
