// It does not look again before it sleeps: work that came since the first look wakes no thread.
// expect: finding deadlock
#define BROKEN
#include "idiom_event_count.cpp"
