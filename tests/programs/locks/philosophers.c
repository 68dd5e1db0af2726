// Three threads, each of which holds what the next one wants.
// expect: finding deadlock
#include <pthread.h>

static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};

static void* dine(void* index) {
  long i = (long)index;
  pthread_mutex_lock(&forks[i]);
  pthread_mutex_lock(&forks[(i + 1) % 3]);
  pthread_mutex_unlock(&forks[(i + 1) % 3]);
  pthread_mutex_unlock(&forks[i]);
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], 0, dine, (void*)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
}
