// A thread ends the process before it comes to a step of its own: no event tells of it, and yet its
// schedule has to lead there.
// expect: finding died
// options: --keep-going
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int x;

static void* ends(void* unused) {
  __asm__ volatile("syscall" : : "a"((long)SYS_exit_group), "D"(3L) : "rcx", "r11", "memory");
  return unused;
}
static void* writes(void* unused) {
  atomic_store(&x, 1);
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, writes, 0);
  pthread_create(&t[1], 0, ends, 0);
  pthread_create(&t[2], 0, writes, 0);
  for (int k = 0; k < 3; ++k) pthread_join(t[k], 0);
}
