// The system reads the name of a file that another thread changes.
// expect: finding data-race line here
#include <pthread.h>
#include <unistd.h>

static char path[32] = "/nowhere/a";

static void* removes(void* argument) {
  unlink(path);
  return argument;
}
static void* changes(void* argument) {
  path[9] = 'b';  // here
  return argument;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, removes, 0);
  pthread_create(&t, 0, changes, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
