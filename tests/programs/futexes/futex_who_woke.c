// expect: finding assertion line here
// Of two who wake one, either may be told to have done so.
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int word;
static long first, second;

static void* wait(void* p) {
  struct timespec a_second = {1, 0};
  syscall(SYS_futex, &word, FUTEX_WAIT, 0, &a_second, 0, 0);
  return 0;
}
static void* wake(void* p) {
  first = syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
  return 0;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, wait, 0);
  pthread_create(&t, 0, wake, 0);
  second = syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(!(first == 1 && second == 0));  // here
  return 0;
}
