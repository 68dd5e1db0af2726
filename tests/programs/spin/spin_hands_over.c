// A thread polls, and lets go of the mutex that it holds in each round: only then can the other set
// what it waits for. Such a round is not as if nothing had been, unless no thread takes the mutex
// meanwhile: so there is an end to them.
// options: --keep-going
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int waiting, ready;

static void* produce(void* unused) {
  pthread_mutex_lock(&m);
  ready = waiting ? 2 : 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, produce, 0);
  pthread_mutex_lock(&m);
  waiting = 1;
  while (!ready) {
    pthread_mutex_unlock(&m);
    sched_yield();
    pthread_mutex_lock(&m);
  }
  pthread_mutex_unlock(&m);
  assert(ready == 1);  // here
  pthread_join(a, 0);
}
