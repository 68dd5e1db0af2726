// The lock is unlocked without release: what was done under it may come later.
// expect: finding data-race
#define BROKEN
#include "idiom_lock_ticket.cpp"
