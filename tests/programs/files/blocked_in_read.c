// expect: misuse thread 1 is blocked in read
// runs: one
#include <pthread.h>
#include <sys/inotify.h>
#include <unistd.h>

static void* waits(void* argument) {
  char buffer[8];
  const int never = inotify_init();
  if (read(never, buffer, sizeof buffer) != 0) return 0;
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waits, 0);
  pthread_join(t, 0);
  return 0;
}
