// In which order lines are printed, no program sees.
// expect: verified optimal=1 observers=1
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void* print(void* unused) {
  printf("%s\n", "a line");
  fprintf(stderr, "a line\n");
  fputs("a line\n", stdout);
  fflush(stdout);
  if (write(1, "x", 1) != 1) perror("write");
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, print, 0);
  pthread_create(&b, 0, print, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
