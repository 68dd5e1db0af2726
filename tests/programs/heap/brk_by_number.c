// expect: misuse brk
#include <sys/syscall.h>
#include <unistd.h>

int main(void) { syscall(SYS_brk, syscall(SYS_brk, 0L) + 4096); }
