// A barrier serves again and again; in each phase one thread is the serial one.
// expect: verified optimal=8 observers=8
#define _XOPEN_SOURCE 700
#include <assert.h>
#include <pthread.h>

enum { phases = 3 };
static pthread_barrier_t barrier;
static long done[2][phases], serial[2];

static void* work(void* index) {
  long i = (long)index;
  for (int p = 0; p < phases; ++p) {
    done[i][p] = 1;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) ++serial[i];
    assert(done[1 - i][p]);
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&a, 0, work, (void*)0);
  pthread_create(&b, 0, work, (void*)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(serial[0] + serial[1] == phases && pthread_barrier_destroy(&barrier) == 0);
}
