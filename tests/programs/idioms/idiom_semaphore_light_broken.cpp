// It looks at the count and takes from it in two steps: two threads can take the last one.
// expect: finding assertion
#define BROKEN
#include "idiom_semaphore_light.cpp"
