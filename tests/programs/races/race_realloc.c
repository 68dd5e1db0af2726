// To move a block is to read it, and to free it.
// expect: finding data-race or use-after-free
#include <pthread.h>
#include <stdlib.h>

static int *block, *moved;

static void* writes(void* argument) {
  block[0] = 1;
  return argument;
}
static void* moves(void* argument) {
  moved = realloc(block, 100);
  return argument;
}

int main(void) {
  pthread_t s, t;
  block = calloc(1, sizeof *block);
  pthread_create(&s, 0, writes, 0);
  pthread_create(&t, 0, moves, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  free(moved);
  return 0;
}
