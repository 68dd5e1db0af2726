// A thread that counts how often it looks keeps others from nothing: rounds after the first are
// found to be there.
// options: --max-steps 3000
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stage;
static int rounds;

static void* go_ahead(void* unused) {
  atomic_store(&stage, 3);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, go_ahead, 0);
  while (atomic_load(&stage) < 3) ++rounds;
  assert(rounds < 2);  // here
  pthread_join(a, 0);
}
