// An assertion that fails while global objects are initialised is a finding like others.
// expect: finding assertion
#include <cassert>

static int first;
struct Checker {
  Checker() { assert(first == 1); }
};
static Checker checker;

int main() {}
