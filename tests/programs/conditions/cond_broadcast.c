// A broadcast wakes all waiting threads.
// expect: verified
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static long open, through;

static void* wait(void* unused) {
  pthread_mutex_lock(&m);
  while (!open) pthread_cond_wait(&c, &m);
  ++through;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, wait, 0);
  pthread_create(&b, 0, wait, 0);
  pthread_mutex_lock(&m);
  open = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(through == 2);
}
