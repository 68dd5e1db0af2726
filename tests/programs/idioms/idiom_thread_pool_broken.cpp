// The destructor stops the pool without its mutex: a worker between its look and its wait misses
// it.
// expect: finding deadlock
#define BROKEN
#include "idiom_thread_pool.cpp"
