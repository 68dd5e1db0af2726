// N threads that take one mutex R times each: (N R)! / R!^N traces.
#include <pthread.h>

#ifndef N
#define N 4
#endif
#ifndef R
#define R 3
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void* work(void* argument) {
  for (int i = 0; i < R; ++i) {
    pthread_mutex_lock(&mutex);
    ++counter;
    pthread_mutex_unlock(&mutex);
  }
  return argument;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < N; ++i) pthread_join(threads[i], 0);
  return counter != N * R;
}
