// Where handlers are to run, as far as the program can ask.
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>

#include "show.h"

int main(void) {
  stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16, .ss_flags = 0}, old;
  SHOW_ERRNO(sigaltstack(0, &old));
  SHOW_NUMBER(old.ss_flags == SS_DISABLE);
  SHOW_ERRNO(sigaltstack(&stack, 0));
  SHOW_ERRNO(sigaltstack(0, &old));
  SHOW_NUMBER(old.ss_sp == stack.ss_sp);
  SHOW_NUMBER(old.ss_size);
  stack.ss_size = 16;
  SHOW_ERRNO(sigaltstack(&stack, 0));
  stack.ss_flags = SS_DISABLE;
  SHOW_ERRNO(sigaltstack(&stack, &old));
  SHOW_ERRNO(sigaltstack(0, &old));
  SHOW_NUMBER(old.ss_flags == SS_DISABLE);
}
