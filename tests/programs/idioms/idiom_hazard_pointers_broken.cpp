// It does not look again after it has said what it looks at: that may have been deleted by then.
// expect: finding data-race or use-after-free
#define BROKEN
#include "idiom_hazard_pointers.cpp"
