// The links have no count: a node that was taken out and put back meanwhile is taken for the same.
// expect: finding assertion
#define BROKEN
#include "idiom_queue_linked.cpp"
