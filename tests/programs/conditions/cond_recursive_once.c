// expect: verified
// Taken once, a recursive mutex is released; and a signal without the mutex reaches a thread that keeps it.
#define _GNU_SOURCE
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int done;

static void* finish(void* p) {
  pthread_mutex_lock(&mutex);
  done = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&mutex);
  pthread_create(&t, 0, finish, 0);
  while (!done) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(t, 0);
  return 0;
}
