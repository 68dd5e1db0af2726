// Two writers of three variables, and a reader after them: 2^3 traces.
// expect: verified optimal=8 observers=8
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x, y, z;

static void* writer(void* value) {
  atomic_store(&x, (long)value);
  atomic_store(&y, (long)value);
  atomic_store(&z, (long)value);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, (void*)1);
  pthread_create(&b, 0, writer, (void*)2);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(atomic_load(&x) && atomic_load(&y) && atomic_load(&z));
}
