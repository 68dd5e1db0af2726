// A woken thread takes the lock as if no other slept, and wakes none when it releases it.
// expect: finding deadlock
#define BROKEN
#include "idiom_lock_futex_spinning.cpp"
