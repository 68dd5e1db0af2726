// expect: verified optimal=2 observers=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_t thread;
static atomic_int ready;
static int value;

static void* set(void* unused) {
  value = 3;
  ready = 1;
  return unused;
}

__attribute__((constructor)) static void begin(void) { pthread_create(&thread, NULL, set, NULL); }

__attribute__((destructor)) static void end(void) {
  pthread_join(thread, NULL);
  assert(value == 3);
}

int main(void) {
  if (ready) assert(value == 3);
}
