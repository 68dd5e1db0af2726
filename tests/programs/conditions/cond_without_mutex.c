// To wait without holding the mutex is wrong.
// expect: finding lock-misuse line here
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void* wait(void* unused) {
  pthread_cond_wait(&c, &m);  // here
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, wait, 0);
  pthread_cond_signal(&c);
  pthread_join(a, 0);
}
