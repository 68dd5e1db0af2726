// Two threads write at once: what is short enough is not torn.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void* write_to(void* text) {
  assert(write(ends[1], text, 4) == 4);
  return text;
}

int main(void) {
  pipe(ends);
  pthread_t threads[2];
  pthread_create(&threads[0], 0, write_to, "aaaa");
  pthread_create(&threads[1], 0, write_to, "bbbb");
  char all[9] = {0};
  for (int size = 0; size < 8;) size += (int)read(ends[0], all + size, 8 - size);
  assert(strcmp(all, "aaaabbbb") == 0 || strcmp(all, "bbbbaaaa") == 0);
  for (int k = 0; k < 2; ++k) pthread_join(threads[k], 0);
}
