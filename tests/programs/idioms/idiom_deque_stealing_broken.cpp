// The owner pushes without its fence: a thief may see the task before what was written to it.
// expect: finding data-race
#define BROKEN
#include "idiom_deque_stealing.cpp"
