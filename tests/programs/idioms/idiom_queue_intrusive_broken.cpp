// A node is linked without release: the consumer may see it before its value.
// expect: finding data-race
#define BROKEN
#include "idiom_queue_intrusive.cpp"
