// Runs that come to too many threads are given up; the others are explored, and this is found.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int late;

static void* nothing(void* unused) { return unused; }
static void* set(void* unused) {
  late = 1;
  return unused;
}

int main(void) {
  pthread_t t[70];
  pthread_create(&t[0], NULL, set, NULL);
  if (!late)
    for (int k = 1; k < 70; ++k) pthread_create(&t[k], NULL, nothing, NULL);
  assert(!late);  // here
}
