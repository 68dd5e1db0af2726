// Two threads choose: each combination is explored, and nothing more.
// expect: verified optimal=6 observers=6
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>

static unsigned chosen[2];

static void* work(void* unused) {
  chosen[0] = heddle_choose(3);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  chosen[1] = heddle_choose(2);
  pthread_join(a, 0);
  assert(chosen[0] < 3 && chosen[1] < 2);
}
