// A pointer into a block is freed, not the block.
// expect: finding invalid-free line here
#include <stdlib.h>

char* block;

int main(void) {
  block = malloc(100);
  block += 16;
  free(block);  // here
}
