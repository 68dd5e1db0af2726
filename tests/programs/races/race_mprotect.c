// expect: finding data-race or signal
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

static int* page;

static void* reads(void* argument) { return page[0] == 1 ? argument : 0; }
static void* ends(void* argument) { return mprotect(page, 4096, PROT_NONE) ? 0 : argument; }

int main(void) {
  pthread_t s, t;
  page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_create(&s, 0, reads, 0);
  pthread_create(&t, 0, ends, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
