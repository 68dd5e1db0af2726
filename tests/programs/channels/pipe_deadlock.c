// No thread writes.
// expect: finding deadlock
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* read_from(void* unused) {
  char c;
  read(ends[0], &c, 1);
  return unused;
}

int main(void) {
  pipe(ends);
  pthread_t thread;
  pthread_create(&thread, 0, read_from, 0);
  pthread_join(thread, 0);
}
