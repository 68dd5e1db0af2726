// Who was woken does not look again: another may have come first, and both are let through.
// expect: finding data-race
#define BROKEN
#include "idiom_event_auto.cpp"
