// Descriptors are closed and opened in any order: runs that continue from the middle of others see the
// same as those from the beginning.
// expect: finding assertion
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int x;
static int last;

static void* adds(void* argument) {
  for (int k = 0; k < 3; ++k) atomic_fetch_add(&x, 1);
  return argument;
}
static void* looks(void* argument) {
  for (int k = 0; k < 3; ++k) last = atomic_fetch_add(&x, 1);
  return argument;
}

int main(void) {
  const int one = open("/etc/hostname", O_RDONLY), two = open("/etc/passwd", O_RDONLY);
  close(one);
  pthread_t s, t;
  pthread_create(&s, 0, adds, 0);
  pthread_create(&t, 0, looks, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  char first = 0;
  if (read(two, &first, 1) == 1 && last == 3) assert(first != 'r');
  return 0;
}
