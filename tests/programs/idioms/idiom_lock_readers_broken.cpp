// A reader looks for a writer and counts itself in two steps: a writer may have come in between.
// expect: finding data-race
#define BROKEN
#include "idiom_lock_readers.cpp"
