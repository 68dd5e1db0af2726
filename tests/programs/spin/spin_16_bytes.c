// The update of a round changes only the second half of sixteen bytes.
// expect: finding assertion line here
// cflags: -mcx16
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct {
  long a, b;
} Pair;
static _Alignas(16) _Atomic Pair pair;
static atomic_int done;

static void* await(void* unused) {
  do {
    const Pair next = {0, 1};
    atomic_exchange(&pair, next);
  } while (!atomic_load(&done));
  return unused;
}

static void* set(void* unused) {
  Pair seen = atomic_load(&pair);
  if (seen.b == 1) {
    const Pair zero = {0, 0};
    atomic_store(&pair, zero);
    seen = atomic_load(&pair);
    assert(seen.b == 0);  // here
  }
  atomic_store(&done, 1);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, await, 0);
  pthread_create(&two, 0, set, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
}
