// Faults that the program means to handle are not supported.
// expect: misuse a fault that the program has a handler for
#include <signal.h>
#include <unistd.h>

static void handle(int number) { _exit(number != SIGSEGV); }

int main(void) {
  signal(SIGSEGV, handle);
  *(volatile int*)16 = 1;
}
