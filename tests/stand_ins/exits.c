// What is called at exit, and in which order.
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <unistd.h>

#include "show.h"

static int order;
static void fourth(void) { SHOW_NUMBER(4 * 100 + ++order); }
static void third(void) {
  SHOW_NUMBER(3 * 100 + ++order);
  atexit(fourth);
}
static void with_status(int status, void* argument) {
  SHOW_NUMBER(status);
  SHOW_NUMBER(argument == &order);
  if (status == 7) exit(0);
}
static void never(void) { SHOW_NUMBER(0); }
__attribute__((destructor(200))) static void destroy_last(void) { SHOW_NUMBER(6 * 100 + ++order); }
__attribute__((destructor(300))) static void destroy(void) { SHOW_NUMBER(5 * 100 + ++order); }

int main(void) {
  SHOW_NUMBER(atexit(third));
  SHOW_NUMBER(on_exit(with_status, &order));
  SHOW_NUMBER(on_exit(with_status, &order));
  SHOW_NUMBER(at_quick_exit(never));
  exit(7);
}
