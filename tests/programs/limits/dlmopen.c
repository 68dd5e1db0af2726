#define _GNU_SOURCE
// expect: misuse dlmopen
#include <dlfcn.h>
#include <stddef.h>

int main(void) { return dlmopen(LM_ID_NEWLM, "libm.so.6", RTLD_NOW) == NULL; }
