// Code that comes later has not been seen by the compiler.
// expect: misuse dlopen
#define _GNU_SOURCE
#include <dlfcn.h>

int main(void) { return dlopen("libm.so.6", RTLD_NOW) == 0; }
