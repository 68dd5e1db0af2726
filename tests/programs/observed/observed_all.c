// Each order of two atomic stores is one execution if a plain read sees it, and not more.
// expect: verified optimal=2 observers=2
#include <assert.h>
#include <pthread.h>
#include <string.h>

static struct {
  long before;
  int x, y;
  char behind[100];
} shared;

static void* store_one(void* unused) {
  __atomic_store_n(&shared.x, 1, __ATOMIC_RELAXED);
  return unused;
}

static void* store_two(void* unused) {
  __atomic_store_n(&shared.x, 2, __ATOMIC_RELAXED);
  __atomic_store_n(&shared.y, 1, __ATOMIC_RELAXED);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, store_one, 0);
  pthread_create(&two, 0, store_two, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  char copy[sizeof shared];
  memcpy(copy, &shared, sizeof shared);
  int x;
  memcpy(&x, copy + sizeof(long), sizeof x);
  assert(x == 1 || x == 2);
}
