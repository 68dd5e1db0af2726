// It waits for the readers before the node is taken out: later ones can still find it.
// expect: finding data-race or use-after-free
#define BROKEN
#include "idiom_list_grace_period.cpp"
