// A thread that locks, and one that tries: it comes before, between or after.
// expect: verified optimal=3 observers=3
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* lock(void* unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return unused;
}
static void* try_it(void* unused) {
  if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, lock, 0);
  pthread_create(&b, 0, try_it, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
