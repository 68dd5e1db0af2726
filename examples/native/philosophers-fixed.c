// philosophers.c, with the forks numbered, and the lower number taken first.
// expect: verified
#include <pthread.h>

enum { seats = 3 };

static pthread_mutex_t forks[seats] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                       PTHREAD_MUTEX_INITIALIZER};

static void* dine(void* at) {
  const int left = (int)(long)at, right = (left + 1) % seats;
  const int first = left < right ? left : right, second = left + right - first;
  pthread_mutex_lock(&forks[first]);
  pthread_mutex_lock(&forks[second]);
  pthread_mutex_unlock(&forks[second]);
  pthread_mutex_unlock(&forks[first]);
  return NULL;
}

int main(void) {
  pthread_t philosophers[seats];
  for (long i = 0; i < seats; ++i) pthread_create(&philosophers[i], NULL, dine, (void*)i);
  for (long i = 0; i < seats; ++i) pthread_join(philosophers[i], NULL);
}
