// An address that no memory can have.
// expect: finding signal line 8
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static void* use(void* pointer) {
  return (void*)(intptr_t)atomic_load((atomic_int*)pointer);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, use, (void*)0x4141414141414140);
  pthread_join(thread, NULL);
}
