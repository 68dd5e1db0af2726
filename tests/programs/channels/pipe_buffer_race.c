// What is read goes to memory that another thread uses.
// expect: finding data-race
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static char buffer[8];

static void* change(void* unused) {
  buffer[1] = 'y';
  return unused;
}

int main(void) {
  pipe(ends);
  write(ends[1], "abc", 3);
  pthread_t thread;
  pthread_create(&thread, 0, change, 0);
  read(ends[0], buffer, sizeof buffer);
  pthread_join(thread, 0);
}
