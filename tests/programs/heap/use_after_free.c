// The mutex orders all, but does not keep the block alive.
// expect: finding use-after-free line here
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
long* block;

static void* give_back(void* unused) {
  pthread_mutex_lock(&m);
  free(block);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a;
  block = calloc(1, sizeof *block);
  pthread_create(&a, 0, give_back, 0);
  pthread_mutex_lock(&m);
  long seen = *block;  // here
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return seen != 0;
}
