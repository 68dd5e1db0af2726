// Functions that are declared destructors come after all that were registered.
// expect: finding assertion line here
#include <assert.h>
#include <stdlib.h>

static int called;
static void registered(void) { ++called; }

__attribute__((destructor)) static void destroy(void) {
  assert(called != 1);  // here
}

int main(void) { atexit(registered); }
