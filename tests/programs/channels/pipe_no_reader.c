// To write where no thread reads is the end, unless the signal is ignored.
// expect: finding signal
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* stop_reading(void* unused) {
  close(ends[0]);
  return unused;
}

int main(void) {
  pipe(ends);
  pthread_t thread;
  pthread_create(&thread, 0, stop_reading, 0);
  write(ends[1], "x", 1);
  pthread_join(thread, 0);
}
