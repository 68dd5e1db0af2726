// N writers of one variable, and a reader after all of them: N! traces, N with observers.
// expect: verified optimal=24 observers=4
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { N = 4 };
static atomic_long x;

static void* writer(void* value) {
  atomic_store(&x, (long)value);
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; ++i) pthread_create(&threads[i], 0, writer, (void*)(i + 1));
  for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
  assert(atomic_load(&x) > 0);
}
