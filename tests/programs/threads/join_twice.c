// Two threads join a third: only one of them can.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>

static pthread_t a;
static int other;

static void* work(void* unused) { return unused; }
static void* join(void* unused) {
  other = pthread_join(a, 0);
  return unused;
}

int main(void) {
  pthread_t b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, join, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(other != 0);  // here
}
