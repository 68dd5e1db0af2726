// What a program can see of addresses and of threads is the same in every run.
// expect: verified
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_int x, by_address[1 << 12];

static void note(const void* address) {
  atomic_store(&by_address[(uintptr_t)address >> 3 & ((1 << 12) - 1)], 1);
}

static void* work(void* unused) {
  int local;
  void* block = malloc(100);
  note(&local);
  note(block);
  free(block);
  atomic_fetch_add(&x, 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  void* blocks[3] = {malloc(10), malloc(5000), malloc(1 << 20)};
  for (int i = 0; i < 3; ++i) note(blocks[i]);
  for (int i = 0; i < 3; ++i) free(blocks[i]);
  note(&a);
  pthread_create(&a, 0, work, 0);
  note((void*)a);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
