// More than a runner is made for at first.
// expect: verified optimal=1 observers=1
#include <pthread.h>

static long x[40];

static void* work(void* at) {
  *(long*)at = 1;
  return 0;
}

int main(void) {
  pthread_t threads[40];
  for (int i = 0; i < 40; ++i) pthread_create(&threads[i], 0, work, &x[i]);
  for (int i = 0; i < 40; ++i) pthread_join(threads[i], 0);
}
