// The block has moved, and a thread still has the old pointer.
// expect: finding use-after-free line here
#include <stdlib.h>

char *old, *after, *moved;

int main(void) {
  old = calloc(16, 1);
  after = calloc(16, 1);
  moved = realloc(old, 100000);
  const char seen = old[3];  // here
  free(moved);
  free(after);
  return seen;
}
