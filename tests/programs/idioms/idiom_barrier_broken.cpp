// A worker leaves without a word: the others wait for it for ever.
// expect: finding deadlock or livelock
#define BROKEN
#include "idiom_barrier.cpp"
