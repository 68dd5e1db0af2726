// Statistics that may miss an update, as their functions say. What they lead to is explored.
// expect: verified optimal=17
// expect: limit suppressed races: 3 (by functions with HEDDLE_BENIGN_RACES)
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>

static int hits;

HEDDLE_BENIGN_RACES static void count(void) { hits = hits + 1; }
HEDDLE_BENIGN_RACES static int so_far(void) { return hits; }

static void* work(void* p) {
  count();
  count();
  return p;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  count();
  assert(so_far() >= 1);
  pthread_join(a, 0);
  assert(hits >= 1 && hits <= 3);
}
