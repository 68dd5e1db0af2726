// expect: verified
// options: --timeouts explore
// The word is compared before the time counts.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int word = 1;

static void* wait(void* p) {
  struct timespec second = {1, 0};
  assert(syscall(SYS_futex, &word, FUTEX_WAIT, 0, &second, 0, 0) == -1 && errno == EAGAIN);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, wait, 0);
  pthread_join(t, 0);
  return 0;
}
