// Cleanup handlers run in reverse when the thread exits, and where they are popped with 1.
// expect: verified optimal=1 observers=1
#include <assert.h>
#include <pthread.h>

static long order;

static void note(void* digit) { order = order * 10 + (long)digit; }

static void* work(void* unused) {
  pthread_cleanup_push(note, (void*)3);
  pthread_cleanup_push(note, (void*)2);
  pthread_cleanup_push(note, (void*)1);
  pthread_cleanup_pop(1);
  pthread_cleanup_push(note, (void*)9);
  pthread_cleanup_pop(0);
  pthread_exit(unused);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
  assert(order == 123);
}
