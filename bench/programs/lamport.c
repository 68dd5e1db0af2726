// N threads take and release a lock once, by Lamport's second algorithm for fast mutual exclusion
// (1987). Aronis et al. 2018, table 1; its counts include runs that waited in vain, which here are
// the blocked ones.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int x, y, wants[N + 1];
static int inside;

static void lock(int self) {
  while (1) {
    atomic_store(&wants[self], 1);
    atomic_store(&x, self);
    if (atomic_load(&y) != 0) {
      atomic_store(&wants[self], 0);
      while (atomic_load(&y) != 0) {
      }
      continue;
    }
    atomic_store(&y, self);
    if (atomic_load(&x) == self) return;
    atomic_store(&wants[self], 0);
    for (int other = 1; other <= N; ++other)
      while (atomic_load(&wants[other]) != 0) {
      }
    if (atomic_load(&y) == self) return;
    while (atomic_load(&y) != 0) {
    }
  }
}
static void unlock(int self) {
  atomic_store(&y, 0);
  atomic_store(&wants[self], 0);
}

static void* work(void* self) {
  lock((int)(long)self);
  ++inside;
  assert(inside == 1);
  --inside;
  unlock((int)(long)self);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; ++i) pthread_create(&threads[i], 0, work, (void*)(i + 1));
  for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
}
