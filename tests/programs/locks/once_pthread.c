// pthread_once calls once, and who comes second sees what the call did.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_long steps;
static long calls, value;

static void initialise(void) {
  ++calls;
  atomic_fetch_add(&steps, 1);
  value = 7;
}

static void* use(void* unused) {
  assert(pthread_once(&once, initialise) == 0);
  assert(value == 7 && calls == 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, use, 0);
  pthread_create(&b, 0, use, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(calls == 1);
}
