// A pipe has room for 64 kB: the writer waits until there is some, and closing it ends the reader.
// expect: verified
// runs: one
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

enum { size = 65536 + 10 };
static int ends[2];
static char data[size], copy[size];

static void* write_to(void* unused) {
  assert(write(ends[1], data, size) == size);
  close(ends[1]);
  return unused;
}

int main(void) {
  pipe(ends);
  for (int k = 0; k < size; ++k) data[k] = (char)(k % 251);
  pthread_t thread;
  pthread_create(&thread, 0, write_to, 0);
  int have = 0;
  for (ssize_t n; (n = read(ends[0], copy + have, 60000)) > 0;) have += (int)n;
  assert(have == size);
  for (int k = 0; k < size; ++k) assert(copy[k] == (char)(k % 251));
  pthread_join(thread, 0);
}
