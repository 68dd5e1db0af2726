// expect: finding data-race
// What is not to be checked by others is checked here.
#include <pthread.h>

int x;
__attribute__((no_sanitize("thread", "address", "undefined"), no_sanitize_thread)) void* work(void* p) {
  return ++x, p;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
