// A descriptor is closed while another thread may be writing to it: that can fail.
// expect: finding assertion line here
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file;

static void* put(void* unused) {
  assert(write(file, "x", 1) == 1);  // here
  return unused;
}

int main(void) {
  pthread_t a;
  file = open("/dev/null", O_WRONLY);
  pthread_create(&a, 0, put, 0);
  close(file);
  pthread_join(a, 0);
}
