// A local array is written in the loop, but not in rounds that wait.
// expect: verified
#include <pthread.h>

volatile long r, w;

static void *reader(void *which) {
  long i = 0;
  int seen[2] = {0};
  while (i < 2) {
    if (r == w) continue;
    long v = r;
    r = r + 1;
    ++seen[v & 1];
    ++i;
  }
  return (void *)(long)seen[(long)which & 1];
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  w = 1;
  w = 2;
  pthread_join(t, 0);
}
