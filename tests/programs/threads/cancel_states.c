// A thread that does not let itself be cancelled is, when it does again and comes to a cancellation
// point. In its handlers it is not cancelled again.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

static sem_t begun, never;
static atomic_int steps, handled;

static void outer(void* p) {
  pthread_testcancel();
  handled = handled * 10 + 2;
  (void)p;
}
static void inner(void* p) {
  usleep(1);
  handled = handled * 10 + 1;
  (void)p;
}

static void* work(void* p) {
  int old;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
  sem_post(&begun);
  pthread_testcancel();
  usleep(10);
  ++steps;
  pthread_cleanup_push(outer, 0);
  pthread_cleanup_push(inner, 0);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
  ++steps;
  sem_wait(&never);
  ++steps;
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return p;
}

int main(void) {
  pthread_t a;
  void* result;
  sem_init(&begun, 0, 0);
  sem_init(&never, 0, 0);
  pthread_create(&a, 0, work, 0);
  sem_wait(&begun);
  assert(pthread_cancel(a) == 0);
  assert(pthread_join(a, &result) == 0);
  assert(result == PTHREAD_CANCELED && steps == 2 && handled == 12);
}
