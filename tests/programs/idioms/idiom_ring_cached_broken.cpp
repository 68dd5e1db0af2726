// The producer reads the consumer's index relaxed: it may write to a slot that is still read.
// options: --max-steps 3000
// expect: finding data-race
#define BROKEN
#include "idiom_ring_cached.cpp"
