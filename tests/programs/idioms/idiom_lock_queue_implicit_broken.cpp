// It keeps its own node: when it comes again at once, it waits at it, and so does the other.
// expect: finding livelock or data-race or use-after-free or double-free
#define BROKEN
#include "idiom_lock_queue_implicit.cpp"
