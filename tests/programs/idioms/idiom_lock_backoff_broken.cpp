// The lock is looked at and then taken, in two steps: two can have it.
// expect: finding data-race
#define BROKEN
#include "idiom_lock_backoff.cpp"
