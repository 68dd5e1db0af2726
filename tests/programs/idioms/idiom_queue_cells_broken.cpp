// A position is read and then stored, instead of exchanged: two producers can claim the same cell.
// runs: one
// expect: finding data-race
#define BROKEN
#include "idiom_queue_cells.cpp"
