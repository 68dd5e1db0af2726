// A reader that begins while somebody writes, and ends before: the number has not changed.
// expect: finding assertion
#define BROKEN
#include "idiom_seqlock.c"
