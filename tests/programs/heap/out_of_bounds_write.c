// Two threads take a number each and write what belongs to it: there is room for one.
// expect: finding out-of-bounds line here
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int used;
char* block;

static void* write_one(void* unused) {
  block[atomic_fetch_add(&used, 1)] = 1;  // here
  return unused;
}

int main(void) {
  pthread_t a, b;
  block = malloc(1);
  pthread_create(&a, 0, write_one, 0);
  pthread_create(&b, 0, write_one, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  free(block);
}
