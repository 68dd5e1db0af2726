// To drop the contents of memory is to write zeros.
// expect: finding data-race
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

static int* page;

static void* reads(void* argument) { return page[0] == 1 ? argument : 0; }
static void* drops(void* argument) { return madvise(page, 4096, MADV_DONTNEED) ? 0 : argument; }

int main(void) {
  pthread_t s, t;
  page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_create(&s, 0, reads, 0);
  pthread_create(&t, 0, drops, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
