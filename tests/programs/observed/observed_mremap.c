// Memory is moved: a thread that reads it there sees what was written here.
// expect: finding assertion line here
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

static int* number;

static void* store(void* value) {
  __atomic_store_n(number, *(int*)value, __ATOMIC_RELEASE);
  return 0;
}

int main(void) {
  pthread_t one, two;
  int first = 1, second = 2;
  number = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_create(&one, 0, store, &first);
  pthread_create(&two, 0, store, &second);
  pthread_join(one, 0);
  pthread_join(two, 0);
  int* moved = mremap(number, 4096, 8192, MREMAP_MAYMOVE);
  assert(*moved != 1);  // here
}
