// expect: finding use-after-free
// options: --races explore
#include <pthread.h>
#include <stdio.h>

static FILE* file;

static void* put(void* unused) {
  fputs("x", file);
  return unused;
}

int main(void) {
  pthread_t a;
  file = fopen("/dev/null", "w");
  pthread_create(&a, 0, put, 0);
  fclose(file);
  pthread_join(a, 0);
}
