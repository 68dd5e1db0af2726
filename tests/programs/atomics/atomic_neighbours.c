// Bytes side by side are variables of their own: nothing to reorder, nothing to race.
// expect: verified optimal=1 observers=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_char bytes[2];
static char plain[4];

static void* work(void* index) {
  long i = (long)index;
  atomic_store(&bytes[i], (char)(i + 1));
  plain[i] = atomic_load(&bytes[i]);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  assert(plain[0] == 1 && plain[1] == 2 && plain[2] == 0);
}
