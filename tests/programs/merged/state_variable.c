// In which order threads came is in a variable, and nowhere else.
// expect: finding assertion line here
#include <assert.h>
#include <pthread.h>

enum { count = 4 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int order;

static void* work(void* argument) {
  pthread_mutex_lock(&mutex);
  order = 10 * order + (int)(long)argument;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t threads[count];
  for (long k = 0; k < count; ++k) pthread_create(&threads[k], 0, work, (void*)(k + 1));
  for (int k = 0; k < count; ++k) pthread_join(threads[k], 0);
  assert(order != 3142);  // here
}
