// Who opens a file first gets the lower number.
// expect: finding assertion line here
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int mine;

static void* open_one(void* p) {
  const int file = open("/dev/null", O_RDONLY);
  if (p) mine = file;
  return p;
}

int main(void) {
  const int free_one = open("/dev/null", O_RDONLY);
  close(free_one);
  pthread_t a, b;
  pthread_create(&a, 0, open_one, &mine);
  pthread_create(&b, 0, open_one, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(mine == free_one);  // here
}
