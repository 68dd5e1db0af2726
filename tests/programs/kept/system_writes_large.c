// Into variables that are larger than what is copied at once, from the middle of a run.
// expect: verified
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static char large[64 << 20];
static atomic_int turns;

static void* work(void* argument) {
  atomic_fetch_add(&turns, 1);
  const int fd = open("/dev/zero", O_RDONLY);
  const long at = (32 << 20) + ((long)argument << 20);
  assert(large[at] == 0 && large[at + 5000] == 0);
  large[at] = 1;
  assert(pread(fd, large + at, 10000, 0) == 10000 && large[at] == 0);
  large[at + 5000] = 1;
  close(fd);
  atomic_fetch_add(&turns, 1);
  return 0;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, work, (void*)0);
  pthread_create(&t, 0, work, (void*)1);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
