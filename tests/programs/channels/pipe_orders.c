// What a thread did before it wrote to a pipe is done when another has read it.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2], data;

static void* write_to(void* unused) {
  data = 42;
  assert(write(ends[1], "x", 1) == 1);
  return unused;
}

int main(void) {
  assert(pipe(ends) == 0);
  pthread_t thread;
  pthread_create(&thread, 0, write_to, 0);
  char c = 0;
  assert(read(ends[0], &c, 1) == 1);
  assert(c == 'x' && data == 42);
  pthread_join(thread, 0);
  assert(close(ends[1]) == 0 && read(ends[0], &c, 1) == 0 && close(ends[0]) == 0);
}
