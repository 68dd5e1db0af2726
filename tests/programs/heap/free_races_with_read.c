// Nothing orders the access and the free: after it, it is a use after free; before it, a race.
// expect: finding data-race or use-after-free
#include <pthread.h>
#include <stdlib.h>

long* block;

static void* look(void* unused) {
  (void)unused;
  return (void*)*block;
}

int main(void) {
  pthread_t a;
  block = calloc(1, sizeof *block);
  pthread_create(&a, 0, look, 0);
  free(block);
  pthread_join(a, 0);
}
