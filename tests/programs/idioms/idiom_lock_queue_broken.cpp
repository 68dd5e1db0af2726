// The lock is handed on relaxed: what was done under it need not be seen by the next.
// expect: finding data-race
#define BROKEN
#include "idiom_lock_queue.cpp"
