// A reader that begins while a thread writes, and ends before: the number has not changed.
// expect: finding assertion
#define BROKEN
#include "idiom_seqlock.c"
