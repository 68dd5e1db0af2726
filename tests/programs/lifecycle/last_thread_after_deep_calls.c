// Main has called deep, and another thread could see its stack. It is not the last to end, so it
// comes back for the handlers.
// expect: verified
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int* shown;
static atomic_int count;

static void at_end(void) { atomic_fetch_add(&count, 1); }

static void* work(void* unused) {
  atomic_fetch_add(&count, 1);
  return unused;
}

static void __attribute__((noinline)) fill(int* to) {
  for (int k = 0; k < 100; ++k) to[k] = k;
}

static void __attribute__((noinline)) deep(void) {
  int large[20000];
  shown = large;
  fill(large);
  fill(large);
  shown = NULL;
}

int main(void) {
  int own[100];
  pthread_t thread;
  deep();
  atexit(at_end);
  shown = own;
  fill(own);
  pthread_create(&thread, NULL, work, NULL);
  pthread_detach(thread);
  fill(own);
  atomic_fetch_add(&count, 1);
  fill(own);
  atomic_fetch_add(&count, 1);
  pthread_exit(NULL);
}
