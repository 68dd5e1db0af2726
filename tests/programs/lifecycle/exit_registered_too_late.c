// Main may exit before the other thread has registered its function, or after.
// expect: finding exit
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void fail(void) { _exit(3); }

static void* work(void* unused) {
  atexit(fail);
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_detach(a);
}
