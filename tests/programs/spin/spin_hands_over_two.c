// A thread polls, and lets go of the mutex that it holds in each round. Two others need the mutex to
// set what it waits for: they come in either order, in one round or in two.
// expect: verified optimal=4 observers=4
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void* produce(void* unused) {
  pthread_mutex_lock(&m);
  ++ready;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_mutex_lock(&m);
  pthread_create(&a, 0, produce, 0);
  pthread_create(&b, 0, produce, 0);
  while (ready < 2) {
    pthread_mutex_unlock(&m);
    sched_yield();
    pthread_mutex_lock(&m);
  }
  assert(ready == 2);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
