// expect: finding invalid-free line here
#include <stdlib.h>

static int variable[4];
static void* volatile address = variable;

int main(void) {
  address = realloc(address, 100);  // here
  return 0;
}
