// Who was woken takes the lock as if nobody else slept, and wakes nobody when it gives it back.
// expect: finding deadlock
#define BROKEN
#include "idiom_lock_futex_spinning.cpp"
