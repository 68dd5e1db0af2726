// Three philosophers who take the lower fork first: each pair shares one, so there are 6 orders.
// expect: verified optimal=6 observers=6
#include <pthread.h>

static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};

static void* dine(void* index) {
  long left = (long)index, right = (left + 1) % 3;
  long low = left < right ? left : right, high = left < right ? right : left;
  pthread_mutex_lock(&forks[low]);
  pthread_mutex_lock(&forks[high]);
  pthread_mutex_unlock(&forks[high]);
  pthread_mutex_unlock(&forks[low]);
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], 0, dine, (void*)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
}
