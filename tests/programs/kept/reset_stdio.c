// Files that a run has left open, and what it has written, are not there in the next.
// expect: verified optimal=2 observers=2
// allow: leak
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static FILE* file;
static atomic_int x, by_descriptor[64];

static void* add(void* unused) {
  atomic_fetch_add(&x, 1);
  return unused;
}

int main(void) {
  pthread_t a;
  assert(file == 0 && !ferror(stdin) && !feof(stdin));
  file = fopen("/dev/null", "r");
  assert(file && fgetc(file) == EOF && feof(file));
  atomic_store(&by_descriptor[fileno(file) % 64], 1);
  printf("not ended by a new line, and never flushed");
  pthread_create(&a, 0, add, 0);
  atomic_fetch_add(&x, 1);
  pthread_join(a, 0);
}
