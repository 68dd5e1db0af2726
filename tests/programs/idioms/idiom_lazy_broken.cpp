// The look without the lock is relaxed: the value may be seen before what it is made of.
// expect: finding data-race
#define BROKEN
#include "idiom_lazy.cpp"
