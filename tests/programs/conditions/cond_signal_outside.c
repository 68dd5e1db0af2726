// To signal without the mutex is fine as long as the state is changed with it.
// expect: verified
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static long ready, data;

static void* produce(void* unused) {
  pthread_mutex_lock(&m);
  data = 5;
  ready = 1;
  pthread_mutex_unlock(&m);
  pthread_cond_signal(&c);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, produce, 0);
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  assert(data == 5);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
}
