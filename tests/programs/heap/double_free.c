// Both threads think that it is theirs to free.
// expect: finding double-free line here
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void* block;

static void* give_back(void* unused) {
  pthread_mutex_lock(&m);
  free(block);  // here
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t a, b;
  block = malloc(10);
  pthread_create(&a, 0, give_back, 0);
  pthread_create(&b, 0, give_back, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
