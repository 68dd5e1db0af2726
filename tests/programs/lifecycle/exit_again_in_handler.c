// A function for exit exits: those that are left are called, and its status counts.
// expect: verified optimal=1 observers=1
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static int called;
static void last(void) { _exit(called != 12); }
static void second(void) {
  called = called * 10 + 2;
  exit(0);
}
static void first(void) { called = 1; }

int main(void) {
  atexit(last);
  atexit(second);
  atexit(first);
  return 1;
}
