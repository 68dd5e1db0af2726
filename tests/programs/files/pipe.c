// Through a pipe, threads would wait for each other where no thread sees it.
// expect: misuse pipe
#define _XOPEN_SOURCE 700
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void* work(void* unused) {
  write(ends[1], "x", 1);
  return unused;
}

int main(void) {
  pthread_t a;
  char c;
  if (pipe(ends) != 0) return 1;
  pthread_create(&a, 0, work, 0);
  const long n = read(ends[0], &c, 1);
  pthread_join(a, 0);
  return n != 1;
}
