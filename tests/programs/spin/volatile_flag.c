// A volatile flag is taken for an atomic one, which older programs rely on.
// expect: verified optimal=2 observers=2
#include <assert.h>
#include <pthread.h>

static volatile int ready;
static long data;

static void* produce(void* unused) {
  data = 42;
  ready = 1;
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, produce, 0);
  if (ready) assert(data == 42);
  pthread_join(a, 0);
}
