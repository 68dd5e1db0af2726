// Two locks in opposite order are harmless behind a third: the order alone is not a finding.
// expect: verified optimal=2 observers=2
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER,
                       b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t* first, pthread_mutex_t* second) {
  pthread_mutex_lock(&gate);
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  pthread_mutex_unlock(&gate);
}
static void* work(void* unused) {
  both(&a, &b);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  both(&b, &a);
  pthread_join(t, 0);
}
