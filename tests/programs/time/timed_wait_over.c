// expect: finding deadlock
// options: --timeouts explore
// A wait with a limit that is over at once says nothing of the next one, which has none.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int word = 1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* wait(void* p) {
  struct timespec second = {1, 0};
  if (syscall(SYS_futex, &word, FUTEX_WAIT, 0, &second, 0, 0) == -1 && errno == EAGAIN) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&mutex);
  pthread_create(&t, 0, wait, 0);
  pthread_join(t, 0);
  pthread_mutex_unlock(&mutex);
  return 0;
}
