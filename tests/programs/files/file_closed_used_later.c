// A stream is used after it was closed.
// expect: finding use-after-free
#include <pthread.h>
#include <stdio.h>

static FILE* file;

static void* close_it(void* unused) {
  fclose(file);
  return unused;
}

int main(void) {
  pthread_t a;
  file = fopen("/dev/null", "w");
  pthread_create(&a, 0, close_it, 0);
  pthread_join(a, 0);
  fprintf(file, "%d", 1);
}
