// A thread that does not wait may write less than was asked for.
// expect: finding assertion line here
// runs: one
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

enum { size = 40000 };
static int ends[2];
static char data[size], copy[2 * size];

static void* write_to(void* unused) {
  const ssize_t n = write(ends[1], data, size);
  assert(n == -1 || n == size);  // here
  return unused;
}

int main(void) {
  pipe2(ends, O_NONBLOCK);
  write(ends[1], data, size);
  pthread_t thread;
  pthread_create(&thread, 0, write_to, 0);
  read(ends[0], copy, sizeof copy);
  pthread_join(thread, 0);
}
