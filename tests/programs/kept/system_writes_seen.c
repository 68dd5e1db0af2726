// What the system wrote is seen: a run that depends on it is wrong.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <sys/stat.h>

static struct stat status;

static void* work(void* argument) {
  if (stat("/etc/passwd", &status) == 0) assert(status.st_size == 0);  // here
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
