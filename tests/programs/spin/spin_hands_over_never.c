// A thread polls, and lets go of the mutex in each round. The other takes it, and does not set what
// the first waits for.
// expect: finding livelock
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready, other;

static void* produce(void* unused) {
  pthread_mutex_lock(&m);
  other = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, produce, 0);
  pthread_mutex_lock(&m);
  while (!ready) {
    pthread_mutex_unlock(&m);
    sched_yield();
    pthread_mutex_lock(&m);
  }
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
}
