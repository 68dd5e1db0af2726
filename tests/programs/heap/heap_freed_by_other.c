// A block is freed by another thread than the one that got it.
// expect: verified optimal=1 observers=1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void* make(void* value) {
  long* block = malloc(sizeof *block);
  *block = (long)value;
  return block;
}

int main(void) {
  pthread_t a, b;
  void *from_a, *from_b;
  pthread_create(&a, 0, make, (void*)1);
  pthread_create(&b, 0, make, (void*)2);
  pthread_join(a, &from_a);
  pthread_join(b, &from_b);
  assert(*(long*)from_a + *(long*)from_b == 3);
  free(from_a);
  free(from_b);
}
