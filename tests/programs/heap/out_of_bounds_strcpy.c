// The C library writes the byte that ends a string, and there is no room for it.
// expect: finding out-of-bounds line here
#include <stdlib.h>
#include <string.h>

char* block;
const char* text = "12345678";

int main(void) {
  block = malloc(8);
  strcpy(block, text);  // here
  free(block);
}
