// expect: verified
// To wake two is one step: a thread that waits again later is not the second.
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int word;

static void* wait(void* p) {
  struct timespec second = {1, 0};
  for (int k = 0; k < 2; ++k) syscall(SYS_futex, &word, FUTEX_WAIT, 0, &second, 0, 0);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait, 0);
  assert(syscall(SYS_futex, &word, FUTEX_WAKE, 2, 0, 0, 0) <= 1);
  pthread_join(t, 0);
  return 0;
}
