// A thread that the library knows nothing of.
// expect: misuse clone
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

static int work(void* unused) { return unused != 0; }

int main(void) {
  char* stack = malloc(1 << 16);
  clone(work, stack + (1 << 16), CLONE_VM | SIGCHLD, 0);
  wait(0);
  free(stack);
}
