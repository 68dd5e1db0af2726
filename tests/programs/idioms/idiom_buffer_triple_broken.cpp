// The writer takes the buffer in between and puts its own there in two steps: the reader may have
// taken it meanwhile.
// expect: finding data-race
#define BROKEN
#include "idiom_buffer_triple.cpp"
