// expect: verified
// A condition may be destroyed as soon as all waiting threads are woken, though they have not left.
#include <pthread.h>
#include <stdlib.h>

struct item {
  pthread_mutex_t* mutex;
  pthread_cond_t condition;
  int done;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* wait(void* p) {
  struct item* i = p;
  pthread_mutex_lock(&mutex);
  if (!i->done) pthread_cond_wait(&i->condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t t;
  struct item i = {&mutex, PTHREAD_COND_INITIALIZER, 0};
  pthread_create(&t, 0, wait, &i);
  pthread_mutex_lock(&mutex);
  i.done = 1;
  pthread_cond_broadcast(&i.condition);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_cond_destroy(&i.condition);
  pthread_join(t, 0);
  return 0;
}
