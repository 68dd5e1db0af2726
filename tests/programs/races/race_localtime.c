// The calls are under a mutex, but what they return is read outside of it.
// expect: finding data-race
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* out) {
  time_t now = 1000000;
  pthread_mutex_lock(&mutex);
  struct tm* parts = gmtime(&now);
  pthread_mutex_unlock(&mutex);
  *(int*)out = parts->tm_hour;
  return 0;
}
static void* other(void* unused) {
  time_t now = 0;
  pthread_mutex_lock(&mutex);
  localtime(&now);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b;
  int hour;
  pthread_create(&a, 0, work, &hour);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
