// What a program prints does not mix with the report.
// expect: verified optimal=2 observers=2
#define _XOPEN_SOURCE 700
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int x;

static void* print(void* name) {
  for (int i = 0; i < 200; ++i) printf("{\"verdict\": \"%s %d\"}\n", (const char*)name, i);
  fprintf(stderr, "heddle: %s\n", (const char*)name);
  fflush(stdout);
  atomic_fetch_add(&x, 1);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, print, "finding");
  pthread_create(&b, 0, print, "verified");
  pthread_join(a, 0);
  pthread_join(b, 0);
  return write(STDOUT_FILENO, "}", 1) != 1;
}
