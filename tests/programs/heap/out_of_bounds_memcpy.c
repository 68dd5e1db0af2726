// A copy is one byte longer than the block that it is from.
// expect: finding out-of-bounds line here
#include <stdlib.h>
#include <string.h>

char *block, copy[32];
size_t size = 17;

int main(void) {
  block = calloc(16, 1);
  memcpy(copy, block, size);  // here
  free(block);
}
