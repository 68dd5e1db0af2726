// A thread polls, and lets go of the mutex in each round; another one polls until it gets the mutex
// and finds what no thread sets.
// expect: finding livelock
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static int is_ready(void) {
  if (pthread_mutex_trylock(&m)) return 0;
  const int result = ready;
  pthread_mutex_unlock(&m);
  return result;
}

static void* poll(void* unused) {
  while (!is_ready()) sched_yield();
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_mutex_lock(&m);
  pthread_create(&a, 0, poll, 0);
  while (!ready) {
    pthread_mutex_unlock(&m);
    sched_yield();
    pthread_mutex_lock(&m);
  }
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
}
