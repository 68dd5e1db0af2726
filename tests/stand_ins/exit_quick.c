#include <stdlib.h>

#include "show.h"

static void second(void) { SHOW_NUMBER(2); }
static void first(void) {
  SHOW_NUMBER(1);
  at_quick_exit(second);
}
static void third(void) { SHOW_NUMBER(3); }
static void never(void) { SHOW_NUMBER(0); }

int main(void) {
  SHOW_NUMBER(at_quick_exit(third));
  SHOW_NUMBER(at_quick_exit(first));
  SHOW_NUMBER(atexit(never));
  quick_exit(0);
}
