// Each thread has a file of its own: what one does is nothing to the other.
// expect: verified optimal=1 observers=1
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void* work(void* unused) {
  char head[4];
  FILE* file = fopen("/proc/self/exe", "r");
  assert(file && fread(head, 1, 4, file) == 4 && memcmp(head, "\177ELF", 4) == 0);
  fseek(file, 1, SEEK_SET);
  assert(fgetc(file) == 'E');
  fclose(file);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
