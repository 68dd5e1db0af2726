// Memory that one thread frees and another gets is not shared by them.
// expect: verified optimal=1 observers=1
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void* work(void* unused) {
  for (int i = 1; i < 5; ++i) {
    char* block = malloc(64);
    memset(block, i, 64);
    if (block[63] != i) abort();
    free(block);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
