// The data is written after what tells that it is there.
// expect: finding data-race
#include <pthread.h>
#include <unistd.h>

static int ends[2], data;

static void* write_to(void* unused) {
  write(ends[1], "x", 1);
  data = 42;
  return unused;
}

int main(void) {
  pipe(ends);
  pthread_t thread;
  pthread_create(&thread, 0, write_to, 0);
  char c;
  read(ends[0], &c, 1);
  const int seen = data;
  pthread_join(thread, 0);
  return seen == 1;
}
