// The block is given out again to another thread: the old pointer is as wrong as before.
// expect: finding use-after-free line here
#include <stdlib.h>
#include <string.h>

char *old, *next;

int main(void) {
  old = malloc(40);
  memset(old, 1, 40);
  free(old);
  next = malloc(40);
  memset(next, 2, 40);
  const char seen = old[7];  // here
  free(next);
  return seen > 2;
}
