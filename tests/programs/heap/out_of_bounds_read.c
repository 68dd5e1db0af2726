// One element too far is read.
// expect: finding out-of-bounds line here
#include <stdlib.h>

long* block;

int main(void) {
  long sum = 0;
  block = calloc(5, sizeof *block);
  for (int i = 0; i <= 5; ++i) sum += block[i];  // here
  free(block);
  return sum > 100;
}
