// expect: finding data-race line here
// Two threads initialise one mutex.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int counter;

static void* count(void* p) {
  pthread_mutex_init(&mutex, 0);  // here
  pthread_mutex_lock(&mutex);
  ++counter;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, count, 0);
  pthread_create(&t, 0, count, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(counter == 2);
  return 0;
}
