// A process that forks cannot be explored, and that is said.
// expect: misuse fork
#define _GNU_SOURCE
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, 0, 0);
}
