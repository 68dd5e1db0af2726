// Each run leaves something in a file that the next one finds.
// expect: finding nondeterminism
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_long x, y;

static int runs_before(void) {
  int runs = 0;
  FILE* file = fopen("runs.txt", "r");
  if (file) {
    if (fscanf(file, "%d", &runs) != 1) runs = 0;
    fclose(file);
  }
  file = fopen("runs.txt", "w");
  fprintf(file, "%d\n", runs + 1);
  fclose(file);
  return runs;
}

static void* work(void* unused) {
  atomic_store(&y, 2);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  if (runs_before() % 2) atomic_store(&x, 1);
  const long seen = atomic_load(&y);
  pthread_join(a, 0);
  return seen > 2;
}
