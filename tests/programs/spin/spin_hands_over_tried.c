// A thread polls, and lets go of the mutex in each round; another one polls until it gets the mutex.
// When both wait in their loops, it is not for ever.
// expect: verified optimal=1 observers=1
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void* produce(void* unused) {
  while (pthread_mutex_trylock(&m)) sched_yield();
  ready = 1;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_mutex_lock(&m);
  pthread_create(&a, 0, produce, 0);
  while (!ready) {
    pthread_mutex_unlock(&m);
    sched_yield();
    pthread_mutex_lock(&m);
  }
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
}
