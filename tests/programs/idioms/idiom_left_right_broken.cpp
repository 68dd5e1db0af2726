// The old copy is changed at once: readers may still be there.
// expect: finding data-race
#define BROKEN
#include "idiom_left_right.cpp"
