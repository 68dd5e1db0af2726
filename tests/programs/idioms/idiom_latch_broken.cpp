// It counts down before its part is written.
// expect: finding data-race
#define BROKEN
#include "idiom_latch.cpp"
