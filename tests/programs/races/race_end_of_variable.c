// expect: finding data-race or use-after-free
// A function may return while another thread still uses its variable.
#include <pthread.h>
#include <stdatomic.h>

_Atomic(int*) p;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void publish(void) {
  int x = 0;
  p = &x;
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
}

void* work(void* q) {
  publish();
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return q;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  int* x = p;
  if (x) *x = 42;
  pthread_join(a, 0);
}
