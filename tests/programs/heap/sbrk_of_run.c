// expect: misuse sbrk
#define _DEFAULT_SOURCE
#include <unistd.h>

int main(void) { return sbrk(4096) == 0; }
