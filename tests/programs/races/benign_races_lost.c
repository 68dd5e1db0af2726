// That a race is called benign does not make it so: an update is lost.
// expect: finding assertion line here
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>

static int hits;

HEDDLE_BENIGN_RACES static void* count(void* p) {
  hits = hits + 1;
  return p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, count, 0);
  pthread_create(&b, 0, count, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(hits == 2);  // here
}
