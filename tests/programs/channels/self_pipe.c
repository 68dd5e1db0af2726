// A thread waits for work and for the end, by two pipes. poll looks at one after the other: work
// that came between these looks is left.
// expect: finding assertion line here
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

static int work[2], stop[2];

static void* loop(void* unused) {
  int done = 0;
  for (bool ends = false; !ends;) {
    struct pollfd files[] = {{work[0], POLLIN, 0}, {stop[0], POLLIN, 0}};
    assert(poll(files, 2, -1) > 0);
    char c;
    if ((files[0].revents & POLLIN) != 0 && read(work[0], &c, 1) == 1) ++done;
    ends = (files[1].revents & POLLIN) != 0 && (files[0].revents & POLLIN) == 0;
  }
  assert(done == 1);  // here
  return unused;
}

int main(void) {
  pipe(work);
  pipe(stop);
  pthread_t thread;
  pthread_create(&thread, 0, loop, 0);
  write(work[1], "w", 1);
  write(stop[1], "s", 1);
  pthread_join(thread, 0);
}
