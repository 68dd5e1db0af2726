// expect: finding exit
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
  syscall(SYS_exit_group, 3);
  return 0;
}
