// What only Heddle has no room for is not taken for an allocation that fails.
// expect: incomplete more than 256 MB
#include <stdlib.h>

static void* volatile block;

int main(void) {
  block = malloc(300 << 20);
  return block == 0;
}
