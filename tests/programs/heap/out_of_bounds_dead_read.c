// expect: finding out-of-bounds line here
#include <stdlib.h>

int main(void) {
  int* p = malloc(sizeof *p);
  int v = p[1];  // here
  (void)v;
  free(p);
}
