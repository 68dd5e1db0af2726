// The count shrinks relaxed: who deletes the object does so beside what others did to it.
// expect: finding data-race
#define BROKEN
#include "idiom_intrusive_count.cpp"
