// A thread writes over its own stack, return address and all: whatever comes of it is told.
// expect: finding signal or abort or out-of-bounds or stack-overflow or died
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_long go;
size_t size = 600;

static void smash(void) {
  char local[16];
  memset(local, 0x41, size);
  atomic_store(&go, local[3]);
}

static void* work(void* unused) {
  if (atomic_load(&go)) smash();
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  atomic_store(&go, 1);
  pthread_join(a, 0);
}
