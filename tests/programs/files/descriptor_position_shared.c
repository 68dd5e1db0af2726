// The same through descriptors: a copy of one has the same position.
// expect: finding assertion line here
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file, copy;
static char first[4];

static void* read_some(void* unused) {
  assert(read(copy, first, 4) == 4);
  return unused;
}
static void* skip(void* unused) {
  lseek(file, 1, SEEK_SET);
  return unused;
}

int main(void) {
  pthread_t a, b;
  file = open("/proc/self/exe", O_RDONLY);
  copy = dup(file);
  pthread_create(&a, 0, read_some, 0);
  pthread_create(&b, 0, skip, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(first[0] == 0x7f);  // here
}
