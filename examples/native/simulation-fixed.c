// simulation.c, with another barrier between reading and writing.
// expect: verified
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <pthread.h>

enum { rounds = 2 };

static pthread_barrier_t barrier;
static int cells[2] = {1, 1};

static void* simulate(void* index) {
  int* mine = &cells[(long)index];
  const int* other = &cells[1 - (long)index];
  for (int round = 0; round < rounds; ++round) {
    const int sum = *mine + *other;
    pthread_barrier_wait(&barrier);
    *mine = sum;
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&a, NULL, simulate, (void*)0);
  pthread_create(&b, NULL, simulate, (void*)1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(cells[0] == 4 && cells[1] == 4);
}
