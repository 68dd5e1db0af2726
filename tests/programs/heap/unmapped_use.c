// expect: finding signal line here
#include <pthread.h>
#include <sys/mman.h>

static int* page;

static void* ends(void* argument) { return munmap(page, 4096) ? 0 : argument; }

int main(void) {
  pthread_t t;
  page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_create(&t, 0, ends, 0);
  pthread_join(t, 0);
  return page[0];  // here
}
