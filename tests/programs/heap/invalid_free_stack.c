// A local variable is freed as if it were from the heap.
// expect: finding invalid-free line here
#include <stdlib.h>

void* block;

int main(void) {
  long local = 0;
  block = &local;
  free(block);  // here
}
