// Three philosophers at a round table. Each takes the fork at the left, then the one at the right:
// if all have the one at the left, none ever eats.
// expect: finding deadlock line 14
#include <pthread.h>

enum { seats = 3 };

static pthread_mutex_t forks[seats] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                       PTHREAD_MUTEX_INITIALIZER};

static void* dine(void* at) {
  const int left = (int)(long)at, right = (left + 1) % seats;
  pthread_mutex_lock(&forks[left]);
  pthread_mutex_lock(&forks[right]);
  pthread_mutex_unlock(&forks[right]);
  pthread_mutex_unlock(&forks[left]);
  return NULL;
}

int main(void) {
  pthread_t philosophers[seats];
  for (long i = 0; i < seats; ++i) pthread_create(&philosophers[i], NULL, dine, (void*)i);
  for (long i = 0; i < seats; ++i) pthread_join(philosophers[i], NULL);
}
