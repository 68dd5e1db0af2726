// Neither can one that vforks.
// expect: misuse vfork
#define _GNU_SOURCE
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const pid_t child = vfork();
  if (child == 0) _exit(0);
  waitpid(child, 0, 0);
}
