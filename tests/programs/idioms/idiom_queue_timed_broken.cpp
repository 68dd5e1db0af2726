// When the deadline has come, it puts the value all the same.
// options: --timeouts explore
// expect: finding assertion
#define BROKEN
#include "idiom_queue_timed.cpp"
