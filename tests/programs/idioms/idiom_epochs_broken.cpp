// What was retired is deleted one epoch later: readers that began before it was taken out may still
// be there.
// expect: finding data-race or use-after-free
#define BROKEN
#include "idiom_epochs.cpp"
