// quick_exit calls what was registered for it, and nothing else.
// expect: finding assertion line here
#include <assert.h>
#include <stdlib.h>

static int called;
static void at_quick(void) {
  assert(called);  // here
}
static void at_plain(void) { called = 1; }

int main(void) {
  at_quick_exit(at_quick);
  atexit(at_plain);
  quick_exit(0);
}
