// The event is set without the mutex: who has looked and does not yet wait misses it.
// expect: finding deadlock
#define BROKEN
#include "idiom_event_manual.cpp"
