// expect: misuse a futex operation other than wait and wake
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static int from, to;

int main(void) {
  syscall(SYS_futex, &from, FUTEX_CMP_REQUEUE, 1, 1L, &to, 0);
  return 0;
}
