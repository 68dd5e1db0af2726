// A wild write hits the memory that the program shares with heddle: all of its beginnings, here. What
// comes of that is not believed, and heddle lives.
// expect: finding died
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static atomic_int x;
static char maps[1 << 16];
static struct {
  uint64_t begin, end;
} shared[16];
static int count;

static void find_shared(void) {
  int fd = open("/proc/self/maps", O_RDONLY);
  long length = 0, n;
  while ((n = read(fd, maps + length, sizeof maps - 1 - (size_t)length)) > 0) length += n;
  close(fd);
  for (char* line = strtok(maps, "\n"); line != 0 && count < 16; line = strtok(0, "\n"))
    if (strstr(line, "memfd:heddle") != 0 &&
        sscanf(line, "%lx-%lx", &shared[count].begin, &shared[count].end) == 2)
      ++count;
}

static void* overwrite(void* unused) {
  x = 1;
  for (int k = 0; k < count; ++k)
    for (uint64_t at = shared[k].begin; at < shared[k].end && at < shared[k].begin + 65536; at += 4)
      *(volatile uint32_t*)at ^= 0x7f7f7f7f;
  x = 2;
  return unused;
}

int main(void) {
  pthread_t t;
  find_shared();
  pthread_create(&t, 0, overwrite, 0);
  x = 3;
  pthread_join(t, 0);
}
