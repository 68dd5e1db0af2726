// Two wait, one broadcasts and one signals, without the mutex: as many runs as brute force finds
// orders of the same model program (exploration_test.cpp).
// expect: verified optimal=54 observers=54
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int done;

static void* wait(void* unused) {
  pthread_mutex_lock(&m);
  while (!done) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return unused;
}

static void* finish(void* unused) {
  pthread_mutex_lock(&m);
  done = 1;
  pthread_mutex_unlock(&m);
  pthread_cond_broadcast(&c);
  return unused;
}

static void* disturb(void* unused) {
  pthread_cond_signal(&c);
  return unused;
}

int main(void) {
  pthread_t threads[4];
  void* (*const work[4])(void*) = {wait, wait, finish, disturb};
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], 0, work[i], 0);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  assert(done);
}
