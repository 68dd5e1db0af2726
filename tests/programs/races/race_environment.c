// The environment is changed while another thread looks at it.
// expect: finding data-race
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdlib.h>

static void* work(void* unused) {
  setenv("NAME", "value", 1);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  getenv("NAME");
  pthread_join(a, 0);
}
