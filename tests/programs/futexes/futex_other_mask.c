// expect: finding deadlock
// Who is woken must have a bit of the mask in common.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void* wait(void* p) {
  while (atomic_load(&word) == 0) syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, 0, 0, 1);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait, 0);
  atomic_store(&word, 1);
  syscall(SYS_futex, &word, FUTEX_WAKE_BITSET, 1, 0, 0, 2);
  pthread_join(t, 0);
  return 0;
}
