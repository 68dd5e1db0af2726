// It says that something is there before it is.
// expect: finding data-race
#define BROKEN
#include "idiom_semaphores.cpp"
